import DelimitedText
package import ShelflistAPI

/// The report of a stocktake as a list: CSV by shelf and author.
package enum StocktakeList {
    /// The line with the names of the columns.
    package static let header = CSVWriter.record([
        "shelf", "call_number", "number", "barcode", "title", "author", "price", "currency", "state", "seen_at",
        "seen_by", "seen_on", "last_photo_at",
    ])

    /// Returns a line for each copy.
    package static func rows(_ copies: [StocktakeCopy]) -> String {
        copies.reduce(into: "") { text, copy in
            let place = [copy.shelf?.path, copy.callNumber, copy.entryId, copy.barcode, copy.title, copy.author]
            let seen = [
                copy.price?.number, copy.price?.currency, copy.state?.rawValue, copy.seenAt.map(ListTime.text),
                copy.seenBy?.rawValue, copy.seenOn?.path, copy.lastPhotoAt.map(ListTime.text),
            ]
            text += CSVWriter.record(place + seen)
        }
    }
}

/// The list of a stocktake in pieces, so that a large one is not held in memory.
package struct StocktakeExport: Sendable {
    private let library: LibraryStore
    private let stocktake: RowID<Stocktake>
    private let filter: StocktakeFilter
    private var copies: [StocktakeCopy]
    private var next: StocktakeCursor?
    private var hasBegun = false

    /// Reads the first copies.
    ///
    /// - Throws: `LibraryError.notFound`.
    package init(of stocktake: RowID<Stocktake>, _ filter: StocktakeFilter, in library: LibraryStore) async throws {
        (self.library, self.stocktake, self.filter) = (library, stocktake, filter)
        let page = try await library.copies(of: stocktake, filter, limit: Self.size)
        (copies, next) = (page.copies, page.next)
    }

    /// The number of copies of a piece.
    package static let size = 500

    /// Returns the next lines; nil after the last ones.
    ///
    /// - Throws: `LibraryError.notPossible` if the stocktake was closed, or opened again, since the first piece.
    package mutating func piece() async throws -> String? {
        guard hasBegun else {
            hasBegun = true
            defer { copies = [] }
            return StocktakeList.header + StocktakeList.rows(copies)
        }
        guard let cursor = next else { return nil }
        let page = try await library.copies(of: stocktake, filter, from: cursor, limit: Self.size)
        next = page.next
        return StocktakeList.rows(page.copies)
    }
}
