import Foundation
import Hummingbird
import Library
import ShelflistAPI

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
