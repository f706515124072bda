import Bibliography
import GRDB

/// Writes works, authors and editions; the only code that computes values derived from them.
extension Database {
    /// - Parameter details: details that have been cleaned.
    func insertWork(_ details: BookDetails, status: ReviewStatus) throws -> RowID<Work> {
        let id: RowID<Work> = try insert(
            """
            INSERT INTO work (title, subtitle, series, seriesNumber, authorNames, sortTitle, sortAuthor, titleKey,
                reviewStatus, createdAt, changedAt) VALUES (?, ?, ?, ?, '', '', '', '', ?, ?, ?)
            """,
            [
                details.title, details.subtitle, details.series, details.seriesNumber, status, milliseconds,
                milliseconds,
            ])
        try describe(work: id, as: details)
        return id
    }

    /// Replaces title, authors and the values derived from them; the revision grows.
    func updateWork(_ id: RowID<Work>, _ details: BookDetails, status: ReviewStatus) throws {
        try execute(
            """
            UPDATE work SET title = ?, subtitle = ?, series = ?, seriesNumber = ?, reviewStatus = ?, changedAt = ?,
                revision = revision + 1 WHERE id = ?
            """,
            [details.title, details.subtitle, details.series, details.seriesNumber, status, milliseconds, id])
        try execute("DELETE FROM workAuthor WHERE work = ?", [id])
        try describe(work: id, as: details)
    }

    func setStatus(of work: RowID<Work>, to status: ReviewStatus) throws {
        try execute(
            "UPDATE work SET reviewStatus = ?, changedAt = ?, revision = revision + 1 WHERE id = ?",
            [status, milliseconds, work])
    }

    /// Updates the work's time of change and increments its revision.
    func touch(work: RowID<Work>) throws {
        try execute("UPDATE work SET changedAt = ?, revision = revision + 1 WHERE id = ?", [milliseconds, work])
    }

    private func describe(work: RowID<Work>, as details: BookDetails) throws {
        for (position, credit) in details.authors.enumerated() {
            try execute(
                "INSERT INTO workAuthor (work, position, author, role) VALUES (?, ?, ?, ?)",
                [work, position, try author(named: credit.name), credit.role])
        }
        // Uses the stored spelling of the names, which may differ from the one in `details`.
        let names = try authorNames(ofWork: work)
        let first = details.authors.first { $0.role == .author } ?? details.authors.first
        try execute(
            "UPDATE work SET authorNames = ?, sortTitle = ?, sortAuthor = ?, titleKey = ? WHERE id = ?",
            [
                names.joined(separator: AuthorNames.separator), SortKey.title(details.title),
                first.map { SortKey.name($0.name) } ?? "", BookKey.titleKey(details.title), work,
            ])
        try describeSeries(ofWork: work)
        try describeWords(ofWork: work)
    }

    private func authorNames(ofWork id: RowID<Work>) throws -> [String] {
        let statement = try cachedStatement(
            sql: "SELECT name FROM workAuthor JOIN author ON author.id = author WHERE work = ? ORDER BY position")
        return try String.fetchAll(statement, arguments: [id])
    }

    /// Updates the search words of the work.
    func describeWords(ofWork work: RowID<Work>) throws {
        guard
            let row = try Row.fetchOne(
                self, sql: "SELECT title, subtitle, series, seriesNumber, authorNames FROM work WHERE id = ?",
                arguments: [work])
        else { return }
        let isbns = try String.fetchAll(
            self, sql: "SELECT isbn FROM edition WHERE work = ? AND isbn IS NOT NULL", arguments: [work])
        let numbers = isbns.flatMap { [$0] + (ISBN($0)?.isbn10.map { [$0.lowercased()] } ?? []) }
        let title = ["title", "subtitle", "series", "seriesNumber"].compactMap { row[$0] as String? }
        try execute("DELETE FROM workWords WHERE rowid = ?", [work])
        try execute(
            "INSERT INTO workWords (rowid, title, author, isbn) VALUES (?, ?, ?, ?)",
            [
                work, TextNormalisation.fold(title.joined(separator: " ")),
                TextNormalisation.fold(row["authorNames"] as String), numbers.joined(separator: " "),
            ])
    }

    /// Returns the author of that name, and creates one if there is none.
    ///
    /// Names with the same folded form are one author, shown in the spelling stored first.
    private func author(named name: String) throws -> RowID<Author> {
        let key = BookKey.authorKey(name)
        if let id = try RowID<Author>.fetchOne(self, sql: "SELECT id FROM author WHERE nameKey = ?", arguments: [key]) {
            return id
        }
        return try insert("INSERT INTO author (name, nameKey) VALUES (?, ?)", [name, key])
    }

    /// Changes the shown spelling of authors to the user's; only for names that the user typed.
    func rename(authorsOf details: BookDetails) throws {
        for credit in details.authors {
            let key = BookKey.authorKey(credit.name)
            guard
                let row = try Row.fetchOne(
                    self, sql: "SELECT id, name FROM author WHERE nameKey = ?", arguments: [key]),
                row["name"] as String != credit.name
            else { continue }
            let id: RowID<Author> = row["id"]
            try execute("UPDATE author SET name = ? WHERE id = ?", [credit.name, id])
            try showName(ofAuthor: id)
        }
    }

    /// Updates the author's name in all their works.
    func showName(ofAuthor id: RowID<Author>) throws {
        for work in try RowID<Work>.fetchAll(self, sql: "SELECT work FROM workAuthor WHERE author = ?", arguments: [id])
        {
            let names = try authorNames(ofWork: work).joined(separator: AuthorNames.separator)
            try execute("UPDATE work SET authorNames = ? WHERE id = ? AND authorNames <> ?", [names, work, names])
        }
    }

    /// Creates or updates the edition of `work` that the details describe; returns `nil` if they describe none.
    ///
    /// An edition is identified by its ISBN; without one, `current` is used.
    func edition(ofWork work: RowID<Work>, _ details: BookDetails, current: RowID<Edition>?) throws -> RowID<Edition>? {
        let isbn = details.isbn?.isbn13
        var id = current
        if let known = try edition(ofWork: work, isbn: details.isbn) {
            id = known
        } else if let isbn, let current,
            let other = try String.fetchOne(self, sql: "SELECT isbn FROM edition WHERE id = ?", arguments: [current]),
            other != isbn, try isShared(edition: current)
        {
            id = nil  // other copies keep their edition
        }
        let describesEdition =
            isbn != nil || details.publisher != nil || details.year != nil || details.pages != nil
            || details.language != nil || details.binding != nil
        guard id != nil || describesEdition else { return nil }
        let fields: StatementArguments = [
            isbn, details.publisher, details.year, details.pages, details.language, details.binding,
        ]
        if let id {
            try execute(
                """
                UPDATE edition SET isbn = ?, publisher = ?, year = ?, pages = ?, language = ?, binding = ? WHERE id = ?
                """, fields + [id])
            try describeWords(ofWork: work)
            return id
        }
        let new: RowID<Edition> = try insert(
            """
            INSERT INTO edition (isbn, publisher, year, pages, language, binding, work) VALUES (?, ?, ?, ?, ?, ?, ?)
            """, fields + [work])
        try describeWords(ofWork: work)
        return new
    }

    /// Returns the edition of `work` with that ISBN.
    func edition(ofWork work: RowID<Work>, isbn: ISBN?) throws -> RowID<Edition>? {
        let statement = try cachedStatement(sql: "SELECT id FROM edition WHERE work = ? AND isbn = ?")
        return try isbn.flatMap { try RowID.fetchOne(statement, arguments: [work, $0.isbn13]) }
    }

    private func isShared(edition: RowID<Edition>) throws -> Bool {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM entry WHERE edition = ?", arguments: [edition]) ?? 0 > 1
    }
}

/// Encodes author names in one column, so that a list of thousands needs no join.
enum AuthorNames {
    /// The ASCII unit separator, which cleaned text does not contain.
    static let separator = "\u{1F}"

    static func list(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\u{1F}").map(String.init)
    }
}

/// Computes texts whose byte order is the order on a shelf.
enum SortKey {
    static func title(_ title: String) -> String {
        let folded = TextNormalisation.withoutLeadingArticles(TextNormalisation.words(title)).joined(separator: " ")
        return folded.isEmpty ? title : folded
    }

    /// Returns the name with the family name first.
    static func name(_ name: String) -> String {
        guard let parsed = PersonName(name) else { return TextNormalisation.fold(name) }
        return TextNormalisation.fold([parsed.family, parsed.given].joined(separator: " "))
    }
}
