import HTTPTypes
import Hummingbird
import ShelflistAPI

/// A path below an app's key: `/app/KEY/rest`.
struct AppPath: Equatable {
    let secret: String
    /// The path without the key, with its query.
    let rest: String

    static let root = "/app/"

    /// - Returns: `nil` for other paths.
    init?(_ path: String) {
        guard path.hasPrefix(Self.root) else { return nil }
        let below = path.dropFirst(Self.root.count)
        let end = below.firstIndex { $0 == "/" || $0 == "?" } ?? below.endIndex
        secret = String(below[..<end])
        rest = below[end...].hasPrefix("/") ? String(below[end...]) : "/" + below[end...]
    }

    /// The path before the rest, which addresses in answers need.
    var prefix: String { Self.root + secret }
}

/// Resolves `/app/KEY/rest` before routing: the key becomes the caller, and `/rest` the path.
///
/// Everything behind it sees only `/rest`, so keys are not logged.
struct AppPathResponder<Next: HTTPResponder>: HTTPResponder where Next.Context == AppContext {
    let gatekeeper: Gatekeeper
    let limiter: RateLimiter
    let next: Next

    func respond(to request: Request, context: AppContext) async throws -> Response {
        guard let path = request.head.path.flatMap(AppPath.init) else {
            return try await next.respond(to: request, context: context)
        }
        var context = context
        let head = RequestHead(request.head, peer: context.peer)
        context.base.prefix = path.prefix
        context.appCaller = caller(path, head)
        var rewritten = request.head
        rewritten.path = path.rest
        return try await next.respond(to: Request(head: rewritten, body: request.body), context: context)
    }

    private func caller(_ path: AppPath, _ head: RequestHead) -> Result<Caller, any Error> {
        Result {
            if let caller = try gatekeeper.caller(appKey: path.secret, head) { return caller }
            // 130 random bits cannot be guessed. The limit is for apps that continue after their key was revoked.
            if let wait = limiter.take(.login, client: "app ip:\(gatekeeper.clientNetwork(of: head))") {
                throw Problem.rateLimited(wait)
            }
            throw Problem.wrongAppKey
        }
    }
}

/// Refuses wrong keys, and all routes below a key that are not for apps.
struct AppAccess: RouterMiddleware {
    /// The paths that are for apps, in Hummingbird's form.
    let paths: Set<String>

    init(_ table: RouteTable) {
        paths = Set(table.routes.filter(\.requirement.takesApps).map { RouterPath($0.path).description })
    }

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        if let caller = context.appCaller {
            _ = try caller.get()
            guard let path = context.endpointPath, paths.contains(path) else { throw Problem.noSuchRoute }
        }
        return try await next(request, context)
    }
}
