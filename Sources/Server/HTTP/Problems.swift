import Bibliography
import Foundation
import Library
import Scanning
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
    static let wrongCredentials = Problem(
        "wrong_credentials", status: 401, title: "Wrong name or password",
        detail: "No member has this name and password. Check both.")
    static let setupNeeded = Problem(
        "setup_needed", status: 403, title: "Not set up yet",
        detail: "This Shelflist has no owner yet. Open it on the machine it runs on (http://localhost) and create one.")
    static let wrongOrigin = Problem(
        "wrong_origin", status: 403, title: "Request from another site",
        detail: "Changes are only taken from Shelflist's own pages. Scripts use an access token instead of the cookie.")
    static let notFound = Problem(
        "not_found", status: 404, title: "Not found",
        detail: "There is nothing under this name, or it belongs to somebody else.")
    static let noSuchRoute = Problem(
        "no_such_route", status: 404, title: "No such page",
        detail: "The server has nothing at this address. The API is described at /api/v1/openapi.json.")

    static func notAllowed(_ needed: Role) -> Problem {
        Problem(
            "not_allowed", status: 403, title: "Not allowed",
            detail: "This needs the role \(needed.rawValue). Ask the owner of this Shelflist.")
    }

    static func missingScope(_ scope: TokenScope) -> Problem {
        Problem(
            "not_allowed", status: 403, title: "Not allowed",
            detail: "The access token lacks the scope '\(scope.rawValue)'. Make one that has it.")
    }

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        Problem(
            "method_not_allowed", status: 405, title: "Method not allowed",
            detail: "This address takes \(allowed.joined(separator: ", ")).")
    }

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            "body_too_large", status: 413, title: "Too large",
            detail: "The request has more than \(limit) bytes, which is the limit here. Send less.", limit: limit)
    }

    static func unsupportedMediaType(_ expected: String) -> Problem {
        Problem(
            "unsupported_media_type", status: 415, title: "Unsupported media type",
            detail: "Send the body as \(expected), and say so in Content-Type.")
    }

    static func rateLimited(_ wait: Duration, code: String = "rate_limited", detail: String? = nil) -> Problem {
        let milliseconds = max(1, Int((wait / .milliseconds(1)).rounded(.up)))
        return Problem(
            code, status: 429, title: "Too many requests",
            detail: detail ?? "There were too many requests. The next is taken in \((milliseconds + 999) / 1000) s.",
            retryable: true, retryAfterMs: milliseconds)
    }

    static let preconditionRequired = Problem(
        "precondition_required", status: 428, title: "If-Match is missing",
        detail: "Send the ETag that was last seen as If-Match, so that nobody's change is overwritten.",
        field: "If-Match")
    static let editConflict = Problem(
        "edit_conflict", status: 409, title: "Changed meanwhile",
        detail: "Somebody else changed this in the meantime. Load it again, then repeat the change.", retryable: true)
    static func diskFull(_ detail: String) -> Problem {
        Problem("disk_full", status: 507, title: "Disk full", detail: detail, retryable: true)
    }

    static let stopping = Problem(
        "stopping", status: 503, title: "Server is being stopped",
        detail: "The server is being stopped. Send the request again in a moment.", retryable: true,
        retryAfterMs: 5000)

    /// Details stay in the log: they may hold what is not the caller's to know.
    static func internalError(id: String) -> Problem {
        Problem(
            "internal", status: 500, title: "Internal error",
            detail: "Something went wrong on the server. Its log tells more under request \(id).", retryable: true)
    }

    /// What an error thrown by a route is to its caller; `nil` for faults of the server.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as LibraryError: self.init(error)
        case let error as JobError: self.init(error)
        case let error as PhotoIntakeError: self.init(error)
        case let error as MultipartError: self = .badRequest(error.description)
        case AccountError.diskFull: self = .diskFull(AccountError.diskFull.description)
        case let error as CSVError: self = .invalidField("file", "The list cannot be read: \(error.description).")
        default: return nil
        }
    }

    private init(_ error: JobError) {
        let detail = error.description
        switch error {
        case .notFound: self = .notFound
        case .noPhotos: self = .badRequest(detail, field: "photo")
        case .tooManyPhotos(let limit):
            self.init("too_many_photos", status: 413, title: "Too many photos", detail: detail, limit: limit)
        case .tooManyJobs(let limit):
            self.init(
                "too_many_jobs", status: 429, title: "Too many jobs", detail: detail, retryable: true,
                retryAfterMs: 3000, limit: limit)
        case .photoNotExpected, .photoExists:
            self.init("photo_exists", status: 409, title: "Photo not taken", detail: detail)
        case .notFailed, .closed: self.init("job_closed", status: 409, title: "Too late", detail: detail)
        case .busy:
            self.init("reader_busy", status: 429, title: "Busy", detail: detail, retryable: true, retryAfterMs: 1000)
        case .stopping: self = .stopping
        case .diskFull: self = .diskFull(detail)
        }
    }

    private init(_ error: PhotoIntakeError) {
        let detail = error.description
        switch error {
        case .isEmpty, .notAPhoto: self.init("not_an_image", status: 415, title: "Not a photo", detail: detail)
        case .tooLarge(let limit):
            self.init("photo_too_large", status: 413, title: "Photo too large", detail: detail, limit: limit)
        case .diskFull: self = .diskFull(detail)
        case .failed: self.init("unavailable", status: 503, title: "Not kept", detail: detail, retryable: true)
        }
    }
}
