import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ShelflistAPI

/// Authenticates the caller of a route, and sends the renewed session cookie with every answer.
///
/// Errors of the route have to be responses already when they get here (`ProblemResponses` is added after this
/// middleware): an error that passed through would leave without the cookie, and the old one expires within a minute.
struct Authentication: RouterMiddleware {
    let gatekeeper: Gatekeeper
    let requirement: Requirement

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard context.parameters.allSatisfy({ (1...200).contains($0.value.count) }) else { throw Problem.notFound }
        var head = RequestHead(request.head, peer: context.peer)
        var job = context.parameters.get("job")
        if requirement.takesJobToken {
            let query = Query(request)
            head.otherToken = try query.text("token", maxLength: 500)
            job = try job ?? query.text("jobId", maxLength: 200)
        }
        var context = context
        context.caller = try gatekeeper.caller(of: head, job: job, for: requirement)
        var response = try await next(request, context)
        do {
            // After the handler: one that ends the session or sends a cookie itself has the last word.
            if response.headers[.setCookie] == nil, let cookie = try gatekeeper.renewedCookie(of: context.caller, head)
            {
                response.setCookie(cookie)
            }
        } catch {
            // The session stays valid; the next request tries again.
            context.logger.error("Session not renewed", metadata: ["error": "\(error)"])
        }
        return response
    }
}

/// Refuses callers who sent too many requests, and those without the role or scope that the route requires.
struct Admission: RouterMiddleware {
    let limiter: RateLimiter
    let requirement: Requirement
    let cost: RateLimiter.Class

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        if let wait = limiter.take(cost, client: context.caller.client) {
            throw cost == .login
                ? Problem.rateLimited(
                    wait, code: "login_throttled",
                    detail: "There were too many tries. Wait a moment, then try again.")
                : Problem.rateLimited(wait)
        }
        try requirement.check(context.caller)
        return try await next(request, context)
    }
}
