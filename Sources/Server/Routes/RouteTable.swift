import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ShelflistAPI

/// All routes with what each asks of its caller, so that a test can walk through them.
struct RouteTable {
    typealias Handler = @Sendable (Request, AppContext) async throws -> Response

    struct Route: Sendable {
        let method: HTTPRequest.Method
        /// As Hummingbird has it: `scans/:job`.
        let path: String
        let requirement: Requirement
        let cost: RateLimiter.Class
        let handler: Handler
    }

    private(set) var routes: [Route] = []

    mutating func add(
        _ method: HTTPRequest.Method, _ path: String, needs requirement: Requirement,
        costs cost: RateLimiter.Class = .light, _ handler: @escaping Handler
    ) {
        routes.append(Route(method: method, path: path, requirement: requirement, cost: cost, handler: handler))
    }

    /// Each path answers every method: those it does not take with 405.
    func add(to router: Router<AppContext>, gatekeeper: Gatekeeper, limiter: RateLimiter) {
        let byPath = Dictionary(grouping: routes, by: \.path)
        for (path, routes) in byPath {
            for route in routes {
                let entry = Entry(route: route, gatekeeper: gatekeeper, limiter: limiter)
                router.on(RouterPath(path), method: route.method) { request, context in
                    try await entry.respond(to: request, context: context)
                }
                if route.method == .get {
                    router.on(RouterPath(path), method: .head) { request, context in
                        try await entry.respond(to: request, context: context)
                    }
                }
            }
            let taken = Set(routes.map(\.method) + (routes.contains { $0.method == .get } ? [.head] : []))
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

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .init("QUERY") ?? .get,
    ]

    /// A route with the checks before it.
    private struct Entry: Sendable {
        let route: Route
        let gatekeeper: Gatekeeper
        let limiter: RateLimiter

        func respond(to request: Request, context: AppContext) async throws -> Response {
            guard context.parameters.allSatisfy({ (1...200).contains($0.value.count) }) else {
                throw Problem.notFound
            }
            var head = RequestHead(request, peer: context.peer)
            var job = context.parameters.get("job")
            if route.requirement.takesJobToken {
                let query = Query(request)
                head.queryToken = try query.text("token", maxLength: 500)
                job = try job ?? query.text("jobId", maxLength: 200)
            }
            var caller = try gatekeeper.caller(of: head, job: job, precedesOwner: route.requirement.precedesOwner)
            if case .device = route.requirement.kind { caller = try gatekeeper.admit(caller, head) }
            if let wait = limiter.take(route.cost, client: caller.client) {
                throw route.cost == .login
                    ? Problem.rateLimited(
                        wait, code: "login_throttled",
                        detail: "There were too many tries. Wait a moment, then try again.")
                    : Problem.rateLimited(wait)
            }
            try route.requirement.check(caller, job: job)
            var context = context
            context.caller = caller
            var response = try await route.handler(request, context)
            if let cookie = caller.renewedCookie {
                response.headers[.setCookie] = SessionCookie.header(cookie, isSecure: gatekeeper.isSecure(head))
            }
            return response
        }
    }
}

/// A route as tests walk through them.
package struct RouteSummary: Sendable {
    package let method: String
    package let path: String
    /// The least role and the scope of a token that it asks for; `nil` where a caller nobody knows is served.
    package let needed: (role: Role, scope: TokenScope)?
    package let takesJobToken: Bool

    init(_ route: RouteTable.Route) {
        method = route.method.rawValue
        path = route.path
        needed = route.requirement.needed
        takesJobToken = route.requirement.takesJobToken
    }
}

enum SessionCookie {
    static func header(_ value: String, isSecure: Bool) -> String {
        "\(Gatekeeper.cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(Int(Accounts.sessionLife))"
            + (isSecure ? "; Secure" : "")
    }

    static func clearing(isSecure: Bool) -> String {
        "\(Gatekeeper.cookieName)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" + (isSecure ? "; Secure" : "")
    }
}
