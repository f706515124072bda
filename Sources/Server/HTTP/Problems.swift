import Bounds
import Imaging
import ShelflistAPI

extension Problem {
    static func badRequest(_ detail: String, field: String? = nil) -> Problem {
        Problem("bad_request", status: 400, title: "Bad request", detail: detail, field: field)
    }

    static func invalidField(_ field: String, _ detail: String, status: Int = 422) -> Problem {
        Problem("invalid_field", status: status, title: "Invalid value", detail: detail, field: field)
    }

    static let signInNeeded = Problem(
        "sign_in_needed", status: 401, title: "Not signed in", detail: "Sign in, or send an access token.")
    /// The answer to the cookie of a session that was ended, on which a browser removes its copy of the library.
    static let sessionEnded = Problem(
        "session_ended", status: 401, title: "Signed out",
        detail: "This session was ended, perhaps on another device. Sign in again.")
    static let appKeyNeeded = Problem(
        "sign_in_needed", status: 401, title: "Not signed in",
        detail:
            "Give the app the address from Settings, Sharing and server, Connect an app. Scripts send an access token.")
    static let wrongCredentials = Problem(
        "wrong_credentials", status: 401, title: "Wrong name or password",
        detail: "The name or the password is wrong. Check both.")
    static let codeNeeded = Problem(
        "code_needed", status: 401, title: "Code needed",
        detail: "This member has a second factor. Send the code of the authenticator app too.", field: "code")
    static let currentCodeNeeded = Problem(
        "code_needed", status: 401, title: "Code needed",
        detail: "This replaces a second factor. Send one of its codes, or a recovery code, as 'currentCode'.",
        field: "currentCode")
    static let wrongCode = Problem(
        "wrong_code", status: 401, title: "Wrong code",
        detail: "The code is wrong or was used already. Wait for the next one, or use a recovery code.", field: "code")
    static let sessionNeeded = Problem(
        "not_allowed", status: 403, title: "Not allowed",
        detail: "Access tokens cannot be used for this. Sign in to the app.")
    /// Refuses passwords if the OpenID provider is the only way to sign in.
    ///
    /// - Throws: `Problem`.
    static func checkPasswords(_ openID: OpenIDSettings?) throws {
        guard let openID, openID.isOnlyWay else { return }
        throw Problem(
            "password_off", status: 403, title: "Passwords are off",
            detail: "This server does not use passwords. Sign in with \(openID.name).")
    }

    static let confirmationNeeded = Problem(
        "confirmation_needed", status: 403, title: "Enter your password",
        detail: "This requires the password again. Confirm it first (POST /api/v1/session/confirm).")

    static func signInThrottled(_ wait: Duration) -> Problem {
        .rateLimited(
            wait, code: "login_throttled",
            detail: "There were too many sign-in attempts. Wait a moment, then try again.")
    }

    static let setupNeeded = Problem(
        "setup_needed", status: 403, title: "Not set up yet",
        detail: "The server has no owner yet. Open http://localhost on its machine and create one.")
    static let ownerNeeded = Problem(
        "setup_needed", status: 403, title: "Not set up yet",
        detail: "Without an owner there is no sign-in, so only this machine is served. Create an owner first.")
    static let networkFixed = Problem(
        "not_possible", status: 409, title: "Not possible",
        detail: "The options of this server decide who can connect. Change them, then start it again.")
    static let wrongSetupCode = Problem(
        "wrong_setup_code", status: 403, title: "Wrong set-up code",
        detail: "The set-up code is wrong. The server prints it at start, until there is an owner.", field: "code")
    static let wrongAppKey = Problem(
        "wrong_app_key", status: 403, title: "App not connected",
        detail: "The server address of this app is wrong or was revoked. "
            + "Get a new one in Settings, Sharing and server, Connect an app.")
    static let notThroughProxy = Problem(
        "not_through_proxy", status: 403, title: "Not through the proxy",
        detail:
            "This connection is not encrypted, so the server answers only its proxies. Open the proxy's address, or "
            + "name yours in --trusted-proxies.")
    static let wrongOrigin = Problem(
        "wrong_origin", status: 403, title: "Request from another site",
        detail: "A page of another site sent this change. In scripts, use an access token instead of the cookie.")
    static let notFound = Problem(
        "not_found", status: 404, title: "Not found",
        detail: "The item does not exist, or it belongs to another user.")
    static let noSuchRoute = Problem(
        "no_such_route", status: 404, title: "No such page",
        detail: "The server has no page at this path. See /api/v1/openapi.json for the API.")

    static func outside(_ basePath: BasePath) -> Problem {
        Problem(
            "outside_base_path", status: 404, title: "No such page",
            detail: "This server has only paths below \(basePath.folder). Open that, or check the proxy's settings.")
    }

    static func notAllowed(_ needed: Role) -> Problem {
        Problem(
            "not_allowed", status: 403, title: "Not allowed",
            detail: "This requires the role '\(needed.rawValue)'. Ask the server's owner.")
    }

    static func missingScope(_ scope: TokenScope) -> Problem {
        Problem(
            "not_allowed", status: 403, title: "Not allowed",
            detail: "The access token lacks the scope '\(scope.rawValue)'. Create one that has it.")
    }

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        Problem(
            "method_not_allowed", status: 405, title: "Method not allowed",
            detail: "This path accepts only \(allowed.joined(separator: ", ")). Use one of these.")
    }

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            "body_too_large", status: 413, title: "Too large",
            detail: "The request exceeds the limit of \(limit) bytes. Send less data.", limit: limit)
    }

    /// Checks how many items a request names.
    ///
    /// - Throws: `Problem` if there are fewer than `minimum` or more than `RequestBounds.ids`.
    static func check(ids: [String], atLeast minimum: Int = 0) throws {
        try check(ids, "ids", atLeast: minimum, atMost: RequestBounds.ids)
    }

    /// Checks how many items a field of a request has.
    ///
    /// - Throws: `Problem` if there are fewer than `minimum` or more than `maximum`.
    static func check(_ items: [String], _ field: String, atLeast minimum: Int = 0, atMost maximum: Int) throws {
        guard items.count >= minimum, items.count <= maximum else {
            let wanted = minimum == 0 ? "at most" : "\(minimum) to"
            throw invalidField(field, "'\(field)' has \(items.count) entries. Send \(wanted) \(maximum).")
        }
    }

    static func unsupportedMediaType(_ expected: String) -> Problem {
        Problem(
            "unsupported_media_type", status: 415, title: "Unsupported media type",
            detail: "The Content-Type is not supported. Send \(expected).")
    }

    static func rateLimited(_ wait: Duration, code: String = "rate_limited", detail: String? = nil) -> Problem {
        let milliseconds = max(1, Int(saturating: (wait / .milliseconds(1)).rounded(.up)))
        return Problem(
            code, status: 429, title: "Too many requests",
            detail: detail ?? "There were too many requests. Wait \((milliseconds + 999) / 1000) s, then try again.",
            retryable: true, retryAfterMs: milliseconds)
    }

    static let preconditionRequired = Problem(
        "precondition_required", status: 428, title: "If-Match is missing",
        detail: "The request has no If-Match header. Send the latest ETag, so that no other change is overwritten.",
        field: "If-Match")
    static let editConflict = Problem(
        "edit_conflict", status: 409, title: "Edit conflict",
        detail: "This has been changed since it was loaded. Reload it, then repeat the change.", retryable: true)

    static let stopping = Problem(
        "stopping", status: 503, title: "Server is stopping",
        detail: "The server is stopping. Send the request again in a moment.", retryable: true,
        retryAfterMs: 5000)

    /// The details are only logged, because they may be confidential.
    static func internalError(id: String) -> Problem {
        Problem(
            "internal", status: 500, title: "Internal error",
            detail: "An internal error occurred. See the server's log for request \(id).", retryable: true)
    }

    /// Converts an error thrown by a route; `nil` for internal errors.
    init?(_ error: any Error) {
        if let problem = error as? Problem {
            self = problem
            return
        }
        // A stored picture that cannot be read is a fault of the server. Routes that receive pictures convert the error.
        guard !(error is ImageError), let error = error as? any ReportedError,
            let answer = ProblemAnswer.byCode[error.problemCode]
        else {
            return nil
        }
        self.init(
            answer.code ?? error.problemCode, status: answer.status, title: answer.title,
            detail: answer.detail?(error.description) ?? error.description, retryable: answer.isRetryable,
            retryAfterMs: answer.retryAfterMs, field: error.field ?? answer.field, limit: error.limit)
    }
}
