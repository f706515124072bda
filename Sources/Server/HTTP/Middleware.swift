import Bounds
import HTTPTypes
import Hummingbird
import Logging
import ShelflistAPI
import Storage

/// Adds security headers to every response.
///
/// Headers set by a route are kept.
struct SecurityHeaders: RouterMiddleware {
    /// Whether browsers have to use HTTPS for a year.
    let requiresHTTPS: Bool

    /// Allows resources from this server only, and no inline scripts or styles.
    ///
    /// `wasm-unsafe-eval` lets the reader of barcodes be compiled, which is WebAssembly; it does not permit `eval`.
    static let policy = [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data: blob:",
        "connect-src 'self'", "font-src 'self'", "media-src 'self' blob:", "manifest-src 'self'", "worker-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'",
    ].joined(separator: "; ")

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let standard: HTTPFields = [
            .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer",
            .frameOptions: "DENY", .openerPolicy: "same-origin", .resourcePolicy: "same-origin",
            .permissionsPolicy: "camera=(self), accelerometer=(self), gyroscope=(self), microphone=(), geolocation=()",
        ]
        if requiresHTTPS { response.headers[.hsts] = "max-age=31536000" }
        for field in standard where response.headers[field.name] == nil { response.headers[field.name] = field.value }
        return response
    }
}

/// Records every request, without its query, in the log and in the metrics.
struct RequestLog: RouterMiddleware {
    let metrics: ServerMetrics

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response = try await next(request, context)
        if request.method == .head { response = response.createHeadResponse() }
        response.headers[.requestID] = context.requestID
        let route = context.endpointPath ?? "static"
        metrics.count(request: route, status: response.status.code, took: start.duration(to: .now))
        context.logger.info(
            "\(request.method.rawValue) \(route) \(response.status.code)",
            metadata: ["ms": "\(Int(saturating: start.duration(to: .now) / .milliseconds(1)))"])
        return response
    }
}

/// Adds `X-Not-Stored: access` to the answers of changes of access while a sign-in or a revocation is not stored.
struct UnsavedAccess: RouterMiddleware {
    let accounts: AccountBook
    let apps: AppKeyBook

    private static let areas: Set<Substring> = ["setup", "session", "sessions", "members", "tokens", "apps"]

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let isChange = ![.get, .head, .options].contains(request.method)
        // Below `/api/v1`.
        let area = context.endpointPath?.split(separator: "/").dropFirst(2).first
        if isChange, let area, Self.areas.contains(area), accounts.isUnsaved || apps.isUnsaved {
            response.headers[.notStored] = "access"
        }
        return response
    }
}

/// Converts errors to problem documents.
struct ProblemResponses: RouterMiddleware {
    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return .problem(problem(error, context), to: request)
        }
    }

    private func problem(_ error: any Error, _ context: AppContext) -> Problem {
        switch error {
        case let error as HTTPError where error.status == .notFound: return .noSuchRoute
        case let error as HTTPError:
            return .badRequest("The request is not valid (status \(error.status.code)). Check the client.")
        case is CancellationError: return .stopping
        default:
            let problem = Problem(error)
            // The details of these are only in the log.
            if error is StorageError || problem.map({ $0.status == 503 && !$0.retryable }) ?? true {
                context.logger.error("Request failed", metadata: ["error": "\(error)"])
            }
            return problem ?? .internalError(id: context.requestID)
        }
    }
}
