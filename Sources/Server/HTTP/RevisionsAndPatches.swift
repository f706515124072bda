import Foundation
import Hummingbird
import Library
import ShelflistAPI
import Storage

extension Problem {
    init(_ error: LibraryError) {
        let detail = error.description
        switch error {
        case .notFound: self.init("not_found", status: 404, title: "Not found", detail: detail)
        case .changedMeanwhile:
            self.init("edit_conflict", status: 409, title: "Edit conflict", detail: detail, retryable: true)
        case .invalid(let field, _):
            self.init("invalid_field", status: 422, title: "Invalid value", detail: detail, field: field)
        case .notPossible: self.init("not_possible", status: 409, title: "Not possible", detail: detail)
        case .inUse:
            self.init(
                "unavailable", status: 503, title: "Busy", detail: "The library is busy. Try again in a moment.",
                retryable: true, retryAfterMs: 1000)
        case .newerSchema, .damaged: self = .libraryUnavailable
        }
    }

    init(_ error: StorageError) {
        switch error {
        case .diskFull:
            self = .diskFull("The server's disk is full, so nothing was changed. Free space on it, then try again.")
        case .damaged, .cannotWrite, .cannotRead, .file: self = .libraryUnavailable
        }
    }

    private static let libraryUnavailable = Problem(
        "unavailable", status: 503, title: "Library not available",
        detail: "The library is not available. See the server's log.")
}

extension AppContext {
    /// Returns the identifier in a path.
    func row<Owner>(_ name: String, of: Owner.Type = Owner.self) throws -> RowID<Owner> {
        guard let id = parameters.get(name).flatMap({ RowID<Owner>($0) }) else { throw Problem.notFound }
        return id
    }
}

extension RevisionTag {
    /// Returns the revision in `If-Match`; `nil` for `*`, which matches any revision.
    ///
    /// - Throws: `Problem` with status 428 if the header is missing, 409 if the tag is not a revision.
    static func required(_ request: Request) throws -> Int? {
        guard request.headers[.ifMatch] != nil else { throw Problem.preconditionRequired }
        return try optional(request)
    }

    static func optional(_ request: Request) throws -> Int? {
        guard let tag = request.headers[.ifMatch]?.trimmingCharacters(in: CharacterSet(charactersIn: "\" ")) else {
            return nil
        }
        if tag == "*" { return nil }
        guard let revision = revision(tag) else { throw Problem.editConflict }
        return revision
    }
}
