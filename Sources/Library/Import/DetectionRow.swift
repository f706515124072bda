import Bibliography
import Bounds
import GRDB
import Imaging
import ShelflistAPI

extension Detection {
    /// Creates a detection that is not in the database yet.
    ///
    /// - Parameter book: a book that has been checked.
    init(_ book: DetectedBook, job: String, photo: RowID<Photo>) throws {
        self.init(
            id: RowID(0), job: job, book: book.id, photo: photo, entry: nil, outcome: .pending,
            boundingBox: book.boundingBox, quad: book.quad,
            readTitle: try CleanText.line(book.title, field: "title of book \(book.id)"),
            readAuthor: try CleanText.line(book.author, field: "author of book \(book.id)"),
            readISBN: book.isbn.flatMap { ISBN($0)?.isbn13 }, editedTitle: nil, editedAuthor: nil,
            edited: nil,
            confidence: book.confidence, checked: book.checked, text: book.text.map(\.oneLine),
            matches: book.matches.map(\.oneLine), hasPicture: false)
    }

    /// Returns the current details: the user's version, otherwise the text read with its edits.
    ///
    /// An unreadable spine gets its lines of text as title.
    func details() throws -> BookDetails {
        if let edited { return edited }
        let line = text.map(\.text).joined(separator: " ")
        let title =
            try CleanText.line(resolvedTitle, field: "title")
            ?? CleanText.line(BoundedText(line, limit: 200).text, field: "text")
        return try BookDetails(
            title: title ?? "Unread spine", authors: resolvedAuthor.map(AuthorCredit.list) ?? [],
            isbn: readISBN.flatMap { ISBN($0) }
        ).cleaned()
    }
}

extension ReadText {
    fileprivate var oneLine: ReadText {
        ReadText(
            text: CleanText.shown(text), score: score.isFinite ? score.clamped(to: 0...1) : 0,
            direction: direction)
    }
}

extension BookMatch {
    fileprivate var oneLine: BookMatch {
        var match = BookMatch(
            title: CleanText.shown(title), subtitle: subtitle.map(CleanText.shown),
            author: author.map(CleanText.shown), isbn: isbn.map(CleanText.shown),
            confidence: confidence.isFinite ? confidence.clamped(to: 0...1) : 0,
            source: CleanText.shown(source))
        match.series = series.map(CleanText.shown)
        return match
    }
}

extension Database {
    /// Inserts a detection.
    ///
    /// - Returns: the ID of the row.
    func insert(
        _ detection: Detection, outcome: Detection.Outcome, entry: RowID<LibraryEntry>?, key: BookKey
    ) throws -> RowID<Detection> {
        let box = detection.boundingBox
        return try insert(
            """
            INSERT INTO detection (job, photo, book, entry, outcome, x, y, width, height, quad, readTitle, readAuthor,
                readISBN, editedTitle, editedAuthor, edited, confidence, checked, lines, matches, bookKey, createdAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                detection.job, detection.photo, detection.book, entry, outcome, box.x, box.y,
                box.width, box.height, try detection.quad.map(StoredJSON.text), detection.readTitle,
                detection.readAuthor, detection.readISBN, detection.editedTitle, detection.editedAuthor,
                try detection.edited.map(StoredJSON.text), detection.confidence, detection.checked,
                try StoredJSON.text(detection.text), try StoredJSON.text(detection.matches), key.text, milliseconds,
            ])
    }

    /// Returns the row of a scan's photo, and whether the scan did not have it before.
    ///
    /// The same picture is the same photo in every scan.
    func photoRow(of scan: ScanImport, on shelf: RowID<Shelf>?) throws -> (id: RowID<Photo>, isNew: Bool) {
        // A photo without a stored picture is identified by its position in the scan.
        let hash = scan.stored?.sha256
        let known =
            try hash.flatMap {
                try RowID<Photo>.fetchOne(self, sql: "SELECT id FROM photo WHERE sha256 = ?", arguments: [$0])
            }
            ?? (hash == nil
                ? try RowID.fetchOne(
                    self,
                    sql: """
                        SELECT photo.id FROM scanPhoto JOIN photo ON photo.id = photo WHERE job = ? AND position = ?
                        """, arguments: [scan.job, scan.position]) : nil)
        let id: RowID<Photo>
        if let known {
            id = known
            if let file = scan.stored?.file {
                try execute(
                    "UPDATE photo SET file = ?, clearedAt = NULL WHERE id = ? AND file IS NULL", [file, known])
            }
            if let shelf { try execute("UPDATE photo SET shelf = ? WHERE id = ?", [shelf, known]) }
        } else {
            id = try insert(
                "INSERT INTO photo (file, sha256, width, height, shelf, addedAt) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    scan.stored?.file, hash, scan.size.width, scan.size.height, shelf, milliseconds,
                ])
        }
        // Photos imported one by one all have position 0, so they are numbered in the order of import.
        try execute(
            """
            INSERT INTO scanPhoto (job, position, photo, at)
            SELECT :job, CASE WHEN EXISTS (SELECT 1 FROM scanPhoto WHERE job = :job AND position = :index)
                THEN (SELECT max(position) + 1 FROM scanPhoto WHERE job = :job) ELSE :index END, :photo, :now
            WHERE NOT EXISTS (SELECT 1 FROM scanPhoto WHERE job = :job AND photo = :photo)
            """, ["job": scan.job, "index": scan.position, "photo": id, "now": milliseconds])
        return (id, changesCount > 0)
    }
}
