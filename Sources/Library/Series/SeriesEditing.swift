import Bibliography
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Changes a series, and with its name the books that are in it, as one action.
    ///
    /// The name of another series joins both.
    ///
    /// - Returns: the series that the books are in now.
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    package func change(series id: RowID<Series>, _ change: SeriesChange) async throws -> RowID<Series> {
        try await write { db in
            _ = try db.series(id)
            let action = try db.beginAction(.edit)
            switch change.volumes {
            case .keep: break
            case .clear: try db.execute("UPDATE series SET volumes = NULL WHERE id = ?", [id])
            case .set(let volumes):
                try db.checkVolume(volumes, field: "volumes")
                try db.execute("UPDATE series SET volumes = ? WHERE id = ?", [volumes, id])
            }
            if let complete = change.complete {
                try db.execute("UPDATE series SET isComplete = ? WHERE id = ?", [complete, id])
            }
            let now = try change.name.map { try db.rename(series: id, to: $0) } ?? id
            try db.finish(action)
            return now
        }
    }

    /// Puts volumes of a series on the wish list, as one action; those that the library has or wishes for are skipped.
    ///
    /// Such a wish ends when the volume comes, whatever its title is.
    ///
    /// - Returns: the number of new wishes.
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    package func wish(forVolumes numbers: [Int], ofSeries id: RowID<Series>) async throws -> Int {
        try await write { db in
            let series = try db.series(id)
            let there = try db.volumesThere(of: id)
            let action = try db.beginAction(.addBook)
            var count = 0
            for number in Set(numbers).sorted() {
                try db.checkVolume(number, field: "numbers")
                guard !there.contains(where: { $0.volumes?.contains(number) == true }) else { continue }
                let volume = SeriesNumber(rawValue: String(number))
                let book = try BookDetails(
                    title: Database.wishTitle(series.name, volume), series: series.name, seriesNumber: volume,
                    // An anthology has many authors.
                    authors: series.authors.count == 1 ? series.authors.map { AuthorCredit(name: $0) } : []
                ).cleaned()
                var wish = EntryDetails()
                wish.ownership = .wishlist
                _ = try db.insertEntry(ofWork: try db.insertWork(book, status: .verified), book, wish, from: .hand)
                count += 1
            }
            try db.finish(action)
            return count
        }
    }
}

extension Database {
    fileprivate func checkVolume(_ number: Int, field: String) throws {
        guard (1...SeriesGaps.volumeLimit).contains(number) else {
            throw LibraryError.invalid(
                field: field, reason: "it is \(number); volumes go from 1 to \(SeriesGaps.volumeLimit).")
        }
    }

    /// Returns the numbers of the books that the library has or wishes for.
    fileprivate func volumesThere(of series: RowID<Series>) throws -> [SeriesNumber] {
        try String.fetchAll(
            self,
            sql: """
                SELECT seriesNumber FROM work WHERE seriesNumber IS NOT NULL
                    AND seriesKey = (SELECT nameKey FROM series WHERE id = ?)
                """, arguments: [series]
        ).compactMap { SeriesNumber(rawValue: $0) }
    }

    /// Returns the title of a wish for a volume of which no more is known.
    fileprivate static func wishTitle(_ series: String, _ number: SeriesNumber?) -> String {
        "\(series) \(number?.rawValue ?? "")"
    }

    /// Returns the series that the books are in now.
    fileprivate func rename(series id: RowID<Series>, to text: String) throws -> RowID<Series> {
        guard let name = try CleanText.line(text, field: "name") else {
            throw LibraryError.invalid(field: "name", reason: "it is empty. Enter a name.")
        }
        guard SeriesStatement(name).number == nil else {
            throw LibraryError.invalid(
                field: "name", reason: "it ends in the number of a volume. Leave the number out.")
        }
        let key = SortKey.title(name)
        let works = try RowID<Work>.fetchAll(
            self, sql: "SELECT id FROM work WHERE seriesKey = (SELECT nameKey FROM series WHERE id = ?)",
            arguments: [id])
        let other = try RowID<Series>.fetchOne(
            self, sql: "SELECT id FROM series WHERE nameKey = ? AND id <> ?", arguments: [key, id])
        if other == nil { try execute("UPDATE series SET name = ?, nameKey = ? WHERE id = ?", [name, key, id]) }
        for id in works {
            let work = try self.work(id)
            // A wish for a volume is named after the series.
            let isWish = work.title == Self.wishTitle(work.series ?? "", work.seriesNumber)
            let title = isWish ? Self.wishTitle(name, work.seriesNumber) : work.title
            try execute(
                "UPDATE work SET title = ?, sortTitle = ?, titleKey = ?, series = ? WHERE id = ?",
                [title, SortKey.title(title), BookKey.titleKey(title), name, id])
            try describeSeries(ofWork: id)
            try describeWords(ofWork: id)
            try touch(work: id)
        }
        return other ?? id
    }

    /// Ends the wishes for volumes that an action brought: those that `wish(forVolumes:)` made, of the same series and
    /// number.
    func endFulfilledWishes(of action: ReviewAction) throws {
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: """
                    SELECT DISTINCT entry.id, wish.id FROM undoChange
                    JOIN work ON work.id = CASE tableName
                        WHEN 'entry' THEN (SELECT e.work FROM entry e WHERE e.id = json_extract(rowKey, '$[0]'))
                        ELSE json_extract(rowKey, '$[0]') END
                    JOIN work wish ON wish.seriesKey = work.seriesKey AND wish.seriesNumber = work.seriesNumber
                        AND wish.id <> work.id AND wish.title = wish.series || ' ' || wish.seriesNumber
                    JOIN entry ON entry.work = wish.id AND entry.ownership = 'wishlist'
                    WHERE undoChange.action = ? AND tableName IN ('entry', 'work') AND operation <> 'delete'
                        AND work.reviewStatus <> 'needsReview' AND EXISTS (
                            SELECT 1 FROM entry own WHERE own.work = work.id AND own.ownership <> 'wishlist')
                    """), arguments: [action.id])
        for row in rows { try deleteEntry(row[0], ofWork: row[1], detections: .removed) }
    }
}
