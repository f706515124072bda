import Hummingbird
import ShelflistAPI

/// Refuses connections that should have come through a trusted proxy, because they are not encrypted.
///
/// Health checks are answered: they contain nothing to protect, and come from the machine that runs the container.
struct ProxyAccess: RouterMiddleware {
    let gatekeeper: Gatekeeper

    private static let healthChecks: Set = ["/health", "/ready"]

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let isHealthCheck = context.endpointPath.map(Self.healthChecks.contains) ?? false
        guard isHealthCheck || gatekeeper.answers(RequestHead(request.head, peer: context.peer)) else {
            throw Problem.notThroughProxy
        }
        return try await next(request, context)
    }
}
