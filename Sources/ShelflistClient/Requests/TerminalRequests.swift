package import Bibliography
package import Foundation
package import ShelflistAPI

// Requests that the command line needs; apps have other ways to show the same.

extension LibraryRequests {
    /// Returns a work with its editions and copies.
    package func work(_ id: String) async throws(ShelflistError) -> LibraryWork {
        try await connection.value(.init("GET", "api/v1/works/\(ServerConnection.escaped(id))"))
    }

    /// Returns counts of the library.
    package func stats() async throws(ShelflistError) -> LibraryStats {
        try await connection.value(.init("GET", "api/v1/stats"))
    }

    /// Returns what the copies on each shelf cost and are worth.
    package func value() async throws(ShelflistError) -> LibraryValue {
        try await connection.value(.init("GET", "api/v1/stats/value"))
    }

    /// Removes copies as one action; those that do not exist are skipped.
    @discardableResult
    package func remove(all ids: [String]) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", "api/v1/library/bulk").json(RemovedCopies(ids: ids)))
    }
}

extension ListRequests {
    /// Passes books of the library on as a file, in pieces.
    ///
    /// - Parameter ids: of copies; nil for the whole library.
    package func export(
        _ format: ListFormat, of ids: [String]? = nil, to receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws(ShelflistError) {
        try await connection.stream(exportRequest(format, of: ids), to: receive)
    }
}

private struct RemovedCopies: Encodable {
    var ids: [String]
    var delete = true
}

extension ShelfRequests {
    /// Adds the shelves of a list, and changes the codes and notes of those that exist.
    package func importList(_ csv: Data) async throws(ShelflistError) -> ImportedShelves {
        var request = ServerConnection.Request("POST", "api/v1/shelves/import")
        request.headers["Content-Type"] = "text/csv"
        request.body = .data(csv)
        return try await connection.value(request)
    }

    /// Returns a page of HTML that prints labels.
    ///
    /// - Parameters:
    ///   - ids: of shelves or copies; nil for all shelves, or the copies on `shelf`.
    ///   - size: of free labels in mm, such as `50x30`, in place of the sheet.
    ///   - first: the first free label of the sheet, from 1.
    ///   - address: of the app, for the QR codes.
    package func labels(
        _ kind: LabelKind = .place, of ids: [String]?, onShelf shelf: String? = nil, on sheet: LabelSheet,
        size: String? = nil, first: Int, address: String?
    ) async throws(ShelflistError) -> Data {
        try await connection.data(
            .init(
                "GET", "api/v1/labels",
                [
                    ("kind", kind.rawValue), ("sheet", sheet.rawValue), ("size", size), ("first", "\(first)"),
                    ("ids", ids?.joined(separator: ",")), ("shelf", shelf), ("address", address),
                ]))
    }

    /// Returns the shelf at a path, which is created with those around it if there is none.
    ///
    /// - Parameter code: of a new shelf; nil for a free one.
    package func add(_ path: String, code: String?) async throws(ShelflistError) -> LibraryShelf {
        try await connection.value(.init("POST", "api/v1/shelves").json(NewShelf(name: path, code: code)))
    }

    /// Compares scans of the library with the books of the shelf.
    ///
    /// - Parameters:
    ///   - scans: which together show the whole shelf; nil for the latest, which may show a part of it.
    ///   - since: for all scans of the shelf since then.
    /// - Throws: `ShelflistError`; its problem has the code `not_possible` if there is none.
    package func inventory(
        _ id: String, ofScans scans: [String]?, since: Date? = nil
    ) async throws(ShelflistError) -> ShelfInventory {
        struct Wanted: Encodable {
            var scans: [String]?
            var since: Date?
        }
        let path = "api/v1/shelves/\(ServerConnection.escaped(id))/inventory"
        return try await connection.value(.init("POST", path).json(Wanted(scans: scans, since: since)))
    }
}

extension ReviewRequests {
    /// Returns a page of the queue with the counts of the whole queue.
    ///
    /// - Parameters:
    ///   - cursor: `nextCursor` of the page before; nil for the first one.
    ///   - limit: 1...500
    package func page(
        _ cursor: String? = nil, tier: ConfidenceTier? = nil, kind: InboxKind? = nil, limit: Int
    ) async throws(ShelflistError) -> ReviewQueuePage {
        try await connection.value(
            .init(
                "GET", "api/v1/review",
                [("tier", tier?.rawValue), ("kind", kind?.rawValue), ("cursor", cursor), ("limit", "\(limit)")]))
    }

    /// Undoes the latest decision of review that was not undone, also one of another member.
    package func undoLatest() async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", "api/v1/undo").json(["latest": true]))
    }

    /// Moves the outline of a spine and reads it again.
    package func move(_ item: ReviewQueueItem, to box: UnitRect) async throws(ShelflistError) -> ReviewQueueItem {
        let path = "api/v1/detections/\(ServerConnection.escaped(item.id))/box"
        return try await connection.value(.init("PUT", path).ifMatch(item.etag).json(["boundingBox": box]))
    }

    /// Returns the picture of a spine (JPEG).
    ///
    /// - Parameters:
    ///   - turn: `none`, `reading`, `90`, `180` or `270`.
    ///   - longSide: 32...2000 pixels.
    package func crop(
        ofDetection id: String, turn: String, longSide: Int
    ) async throws(ShelflistError) -> Data {
        let path = "api/v1/detections/\(ServerConnection.escaped(id))/crop"
        return try await connection.data(.init("GET", path, [("turn", turn), ("size", "\(longSide)")]))
    }
}
