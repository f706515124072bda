import Bibliography
import GRDB
import ShelflistAPI

extension Database {
    /// Returns the answer about a book that the library does not have under its title, by its volume of a series: a gap, a
    /// wish, or unsure if a copy with another title has the number.
    ///
    /// - Returns: nil if the book does not say its series and number, or no copy has that number and it is not missing.
    func answer(aboutVolume book: BookDetails) throws -> OwnAnswer? {
        for place in book.volumes {
            guard let number = place.number, let id = try series(named: place.name),
                let series = try series(only: id).first
            else { continue }
            let verdict: OwnVerdict
            var copies: [LibraryBook] = []
            if series.owned > 0, let range = number.volumes, series.missing.contains(where: range.contains) {
                verdict = .fillsGap
            } else {
                var query = EntryQuery()
                query.series = id
                copies = try entries(query).entries.filter { $0.seriesNumber == number.rawValue }
                guard !copies.isEmpty else { continue }
                let owned = copies.filter { $0.ownership != .wishlist }
                verdict = owned.isEmpty ? .wished : .unsure
                if !owned.isEmpty { copies = owned }
            }
            var answer = OwnAnswer(verdict, copies: copies)
            (answer.series, answer.volume) = (series, number.rawValue)
            return answer
        }
        return nil
    }

    private func series(named name: String) throws -> RowID<Series>? {
        try RowID.fetchOne(self, sql: "SELECT id FROM series WHERE nameKey = ?", arguments: [SortKey.title(name)])
    }
}

extension BookDetails {
    /// The volumes of series that the book may be, surest first: by its own fields, else by its title, such as `The Tombs
    /// (Earthsea, #2)`, `Earthsea, vol. 2` or `Earthsea 2`.
    fileprivate var volumes: [SeriesStatement] {
        let parsed = Title(title)
        let whole = Title.numbered(title)
        func volume(_ number: Int?) -> SeriesNumber? { number.flatMap { SeriesNumber(rawValue: String($0)) } }
        return [
            series.map { SeriesStatement(name: $0, number: seriesNumber ?? volume(parsed.volume)) },
            parsed.series.map { SeriesStatement(name: $0, number: volume(parsed.volume)) },
            SeriesStatement(name: whole.name, number: volume(whole.number)),
        ].compactMap(\.self)
    }
}
