import HTTPTypes
import Hummingbird

/// A route with its requirement.
package struct Route: Sendable {
    typealias Handler = @Sendable (Request, AppContext) async throws -> Response

    let httpMethod: HTTPRequest.Method
    /// In Hummingbird's form: `scans/:job`.
    package let path: String
    let requirement: Requirement
    let cost: RateLimiter.Class
    /// Whether it reads so much of the library that only a few run at a time.
    package let isHeavy: Bool
    let handler: Handler

    package var method: String { httpMethod.rawValue }
    /// The lowest role of a member and the scope of a token; `nil` for a route that accepts anonymous callers.
    package var needed: (role: Role, scope: TokenScope)? { requirement.needed }
    package var takesJobToken: Bool { requirement.takesJobToken }
    package var takesTokens: Bool { requirement.takesTokens }
    package var takesLoopback: Bool { requirement.takesLoopback }
    package var countsAsWork: Bool { cost == .work }
    package var isForApps: Bool { requirement.takesApps }
}

/// The routes of the server.
struct RouteTable {
    private(set) var routes: [Route] = []

    mutating func add(
        _ method: HTTPRequest.Method, _ path: String, needs requirement: Requirement,
        costs cost: RateLimiter.Class = .light, isHeavy: Bool = false,
        _ handler: @escaping @Sendable (Request, AppContext) async throws -> some ResponseGenerator
    ) {
        let route = Route(
            httpMethod: method, path: path, requirement: requirement, cost: cost, isHeavy: isHeavy
        ) { request, context in
            try await handler(request, context).response(from: request, context: context)
        }
        routes.append(route)
    }

    /// Adds the routes, each behind authentication and its own requirement.
    ///
    /// Methods that a path does not support get 405.
    func add(
        to router: Router<AppContext>, gatekeeper: Gatekeeper, limiter: RateLimiter, heavy: HeavyRequests,
        problems: ProblemResponses
    ) {
        for (path, routes) in Dictionary(grouping: routes, by: \.path) {
            for route in routes {
                let group = router.group().add(
                    middleware: Authentication(gatekeeper: gatekeeper, limiter: limiter, requirement: route.requirement)
                ).add(middleware: problems).add(
                    middleware: Admission(
                        limiter: limiter, requirement: route.requirement, cost: route.cost,
                        heavy: route.isHeavy ? heavy : nil))
                for method in route.httpMethod == .get ? [.get, .head] : [route.httpMethod] {
                    group.on(RouterPath(path), method: method, use: route.handler)
                }
            }
            let taken = Set(routes.map(\.httpMethod) + (routes.contains { $0.httpMethod == .get } ? [.head] : []))
            let allowed = taken.map(\.rawValue).sorted()
            for method in Self.methods where !taken.contains(method) {
                router.on(RouterPath(path), method: method) { request, _ in
                    var response = Response.problem(.methodNotAllowed(allowed), to: request)
                    response.headers[.allow] = allowed.joined(separator: ", ")
                    return response
                }
            }
        }
    }

    /// Adds the routes without authentication and limits, for a caller that may do everything.
    func addUnguarded(to router: Router<AppContext>) {
        for route in routes { router.on(RouterPath(route.path), method: route.httpMethod, use: route.handler) }
    }

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query,
    ]
}
