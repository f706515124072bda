import Bibliography
import GRDB
package import ShelflistAPI

/// Marks the rows of series.
package enum Series {}

extension LibraryStore {
    /// Returns a page of the series that books of the library are in, in the order of names.
    ///
    /// - Parameters:
    ///   - text: a part of the name, with any accents and case; nil for all.
    ///   - withGaps: limits the list to series of which volumes are missing.
    package func series(
        containing text: String? = nil, withGaps: Bool = false, limit: Int? = nil, offset: Int = 0
    ) async throws -> (series: [BookSeries], total: Int) {
        try await read { db in
            let folded = text.map { TextNormalisation.fold($0) } ?? ""
            let all = try db.series().filter {
                (folded.isEmpty || TextNormalisation.fold($0.name).contains(folded))
                    && (!withGaps || !$0.missing.isEmpty)
            }
            return (Array(all.dropFirst(offset).prefix(limit ?? all.count)), all.count)
        }
    }

    /// Returns a series with its copies.
    ///
    /// - Throws: `LibraryError.notFound`, also if no book is in it any more.
    package func series(_ id: RowID<Series>) async throws -> BookSeries {
        try await read { db in
            var series = try db.series(id)
            var query = EntryQuery()
            query.series = id
            series.books = try db.entries(query).entries.map { (SeriesNumber(rawValue: $0.seriesNumber ?? ""), $0) }
                .sorted { a, b in
                    guard let first = a.0, let second = b.0 else { return a.0 != nil && b.0 == nil }
                    return first < second
                }.map(\.1)
            return series
        }
    }
}

extension Database {
    /// - Throws: `LibraryError.notFound`.
    func series(_ id: RowID<Series>) throws -> BookSeries {
        guard let series = try series(only: id).first else { throw LibraryError.notFound("series \(id)") }
        return series
    }

    /// Returns the series that works are in, without their copies, in the order of names; O(n) in the number of works.
    ///
    /// - Parameter only: nil for all.
    func series(only: RowID<Series>? = nil) throws -> [BookSeries] {
        let rows = try Row.fetchCursor(
            self,
            sql: """
                SELECT series.id, series.name, volumes, isComplete, seriesNumber, authorNames,
                    EXISTS (SELECT 1 FROM entry WHERE work = work.id AND ownership <> 'wishlist')
                FROM series JOIN work ON work.seriesKey = series.nameKey
                WHERE :only IS NULL OR series.id = :only ORDER BY series.nameKey, work.id
                """, arguments: ["only": only])
        var all: [BookSeries] = []
        var (owned, wished): ([SeriesNumber], [SeriesNumber]) = ([], [])
        func finish() {
            guard let last = all.indices.last, !all[last].complete else { return }
            all[last].missing = SeriesGaps.missing(owned: owned, wished: wished, volumes: all[last].volumes)
        }
        while let row = try rows.next() {
            let id = "\(row[0] as RowID<Series>)"
            if all.last?.id != id {
                finish()
                (owned, wished) = ([], [])
                var series = BookSeries(id: id, name: row[1])
                (series.volumes, series.complete) = (row[2], row[3])
                all.append(series)
            }
            let last = all.count - 1
            let number = (row[4] as String?).flatMap { SeriesNumber(rawValue: $0) }
            if row[6] as Bool {
                all[last].owned += 1
                owned += [number].compactMap(\.self)
            } else {
                all[last].wished += 1
                wished += [number].compactMap(\.self)
            }
            if let author = AuthorNames.list(row[5]).first, !all[last].authors.contains(author) {
                all[last].authors.append(author)
            }
        }
        finish()
        return all
    }
}
