import Hummingbird
import Logging
import ShelflistAPI

/// Authenticates the caller of a route, and sends the renewed session cookie with every response.
///
/// `ProblemResponses` must be added after this middleware, so that errors reach it as responses: an error thrown
/// through it would be sent without the cookie, and the old cookie expires within a minute.
struct Authentication: RouterMiddleware {
    let gatekeeper: Gatekeeper
    let limiter: RateLimiter
    let requirement: Requirement

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard context.parameters.allSatisfy({ (1...200).contains($0.value.count) }) else { throw Problem.notFound }
        var head = RequestHead(request.head, peer: context.peer)
        var job = context.parameters.get("job")
        if requirement.takesJobToken {
            let query = Query(request)
            // Addresses are logged by proxies, so tokens that are valid for more than one job are not accepted there.
            head.otherToken = try query.text("token", maxLength: 500).flatMap {
                $0.hasPrefix(Secret.jobPrefix) ? $0 : nil
            }
            job = try job ?? query.text("jobId", maxLength: 200)
        }
        var context = context
        if let app = context.appCaller {
            let caller = try app.get()
            context.caller = caller
            context.callerCheck = CallerCheck(gatekeeper, caller)
            return try await next(request, context)
        }
        do {
            context.caller = try gatekeeper.caller(of: head, job: job, for: requirement)
        } catch {
            // Refused requests count too.
            if let wait = limiter.take(.light, client: "ip:\(gatekeeper.clientNetwork(of: head))") {
                throw Problem.rateLimited(wait)
            }
            throw error
        }
        context.callerCheck = CallerCheck(gatekeeper, context.caller)
        var response = try await next(request, context)
        do {
            // After the handler, because a handler that ends the session or sets a cookie takes precedence.
            if response.headers[.setCookie] == nil, let cookie = try gatekeeper.renewedCookie(of: context.caller, head)
            {
                response.setCookie(cookie)
            }
        } catch {
            // The old cookie stays valid, and the next request retries.
            context.logger.error("Could not renew the session", metadata: ["error": "\(error)"])
        }
        return response
    }
}

/// Rejects callers that sent too many requests or that lack the role or scope required by the route, and lets heavy
/// requests wait for each other.
struct Admission: RouterMiddleware {
    let limiter: RateLimiter
    let requirement: Requirement
    let cost: RateLimiter.Class
    /// `nil` for a route that is not heavy.
    let heavy: HeavyRequests?

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        if let wait = limiter.take(cost, client: context.caller.client) {
            throw cost == .login ? Problem.signInThrottled(wait) : Problem.rateLimited(wait)
        }
        try requirement.check(context.caller)
        guard let heavy else { return try await next(request, context) }
        return try await heavy.run(for: context.caller.client) { try await next(request, context) }
    }
}
