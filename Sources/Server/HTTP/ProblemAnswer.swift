import ShelflistAPI

/// How the server answers an error.
struct ProblemAnswer: Sendable {
    var status: Int
    var title: String
    /// The code for clients; nil for the error's own.
    var code: String?
    var isRetryable = false
    var retryAfterMs: Int?
    var field: String?
    /// Returns the text for clients; nil for the error's own.
    var detail: (@Sendable (_ text: String) -> String)?

    init(
        _ status: Int, _ title: String, as code: String? = nil, isRetryable: Bool = false, retryAfterMs: Int? = nil,
        field: String? = nil, detail: (@Sendable (_ text: String) -> String)? = nil
    ) {
        (self.status, self.title, self.code, self.isRetryable) = (status, title, code, isRetryable)
        (self.retryAfterMs, self.field, self.detail) = (retryAfterMs, field, detail)
    }

    /// The answers by the code of the error.
    ///
    /// Errors with other codes are internal: their text may be confidential.
    static let byCode: [String: ProblemAnswer] = [
        "already_undone": ProblemAnswer(409, "Already undone"),
        "bad_request": ProblemAnswer(400, "Bad request"),
        "cover_unavailable": ProblemAnswer(
            503, "Cover not available", as: "provider_down", isRetryable: true, retryAfterMs: 30_000),
        "disk_full": ProblemAnswer(507, "Disk full", isRetryable: true),
        "download_running": ProblemAnswer(409, "Download is running", isRetryable: true),
        "dumps_unavailable": ProblemAnswer(503, "Dumps are unavailable", isRetryable: true),
        "dumps_unusable": ProblemAnswer(503, "Dumps are unavailable", as: "dumps_unavailable"),
        "edit_conflict": ProblemAnswer(409, "Edit conflict", isRetryable: true),
        "file_damaged": ProblemAnswer(503, "Damaged file", as: "unavailable") { _ in
            "A file of the server is damaged. Its log names the file and says what to do."
        },
        "invalid_field": ProblemAnswer(422, "Invalid value"),
        "job_closed": ProblemAnswer(409, "Job closed"),
        // Whether another member has the job is not disclosed.
        "job_not_found": ProblemAnswer(404, "Not found", as: "not_found") { _ in Problem.notFound.detail },
        "library_disk_full": ProblemAnswer(507, "Disk full", as: "disk_full", isRetryable: true) { _ in
            "The server's disk is full, so nothing was changed. Free space on it, then try again."
        },
        "library_in_use": ProblemAnswer(503, "Busy", as: "unavailable", isRetryable: true, retryAfterMs: 1000) { _ in
            "The library is busy. Try again in a moment."
        },
        "library_numbers_used_up": ProblemAnswer(503, "Library not available", as: "unavailable") { _ in
            "The library has used up its numbers, so nothing was changed. Make a backup and restore it, which frees them."
        },
        "library_unavailable": ProblemAnswer(503, "Library not available", as: "unavailable") { _ in
            "The library is not available. See the server's log."
        },
        "list_unreadable": ProblemAnswer(422, "Invalid value", as: "invalid_field", field: "file") {
            "Could not read the list. \($0)"
        },
        "name_taken": ProblemAnswer(409, "Name taken"),
        "no_photos": ProblemAnswer(400, "Bad request", as: "bad_request"),
        "not_an_image": ProblemAnswer(415, "Not a photo"),
        "not_downloaded": ProblemAnswer(409, "No downloaded catalog"),
        "not_found": ProblemAnswer(404, "Not found"),
        "not_possible": ProblemAnswer(409, "Not possible"),
        "not_saved": ProblemAnswer(503, "Not saved", as: "unavailable", isRetryable: true),
        "photo_exists": ProblemAnswer(409, "Photo not accepted"),
        "photo_too_large": ProblemAnswer(413, "Photo too large"),
        "reader_busy": ProblemAnswer(429, "Busy", isRetryable: true, retryAfterMs: 1000),
        "stopping": ProblemAnswer(503, "Server is stopping", isRetryable: true, retryAfterMs: 5000) { _ in
            Problem.stopping.detail
        },
        "storage_not_saved": ProblemAnswer(503, "Not saved", as: "unavailable", isRetryable: true) { _ in
            "The change was not saved, because the server could not write a file in its data folder. Check the folder and "
                + "its disk (the server's log names the file), then try again."
        },
        "too_many_apps": ProblemAnswer(409, "Too many apps", as: "not_possible"),
        "too_many_jobs": ProblemAnswer(429, "Too many jobs", isRetryable: true, retryAfterMs: 3000),
        "too_many_photos": ProblemAnswer(413, "Too many photos"),
        "unknown_language": ProblemAnswer(422, "Invalid value", as: "invalid_field", field: "languages"),
    ]
}
