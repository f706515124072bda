import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns the open questions about labels, oldest first; those about the same label and chosen shelf are one.
    ///
    /// - Parameter scan: its name, or that of a job, whose photos are scans; nil for all.
    package func labelQuestions(ofScan scan: String? = nil) async throws -> [LabelQuestion] {
        try await read { db in
            // "0" is the character after "/".
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT min(q.id) AS id, kind, text, p.shelf AS chosen, p.id AS photo,
                        (SELECT count(*) FROM labelledSpine s JOIN labelQuestion other ON other.id = s.question
                            JOIN photo ON photo.id = other.photo
                            WHERE other.text = q.text AND other.kind = q.kind AND other.answeredAt IS NULL
                                AND photo.shelf IS p.shelf) AS books
                    FROM labelQuestion q JOIN photo p ON p.id = q.photo
                    WHERE answeredAt IS NULL AND (:scan IS NULL OR EXISTS (
                        SELECT 1 FROM scanPhoto WHERE photo = p.id
                            AND (job = :scan OR job > :scan || '/' AND job < :scan || '0')))
                    GROUP BY kind, text, p.shelf ORDER BY min(q.id)
                    """, arguments: ["scan": scan])
            return try rows.map { row in
                let (text, chosen): (String, RowID<Shelf>?) = (row["text"], row["chosen"])
                let shelf = try PlaceCode(text).map { try db.shelf(with: $0) } ?? db.shelf(called: text)
                return LabelQuestion(
                    id: "\(row["id"] as Int64)", kind: try row.decode(forColumn: "kind"), text: text,
                    photoId: "\(row["photo"] as Int64)", shelf: try shelf.map { ShelfReference(try db.shelf($0)) },
                    chosen: try chosen.map { ShelfReference(try db.shelf($0)) }, books: row["books"])
            }
        }
    }

    /// Answers a question about a label, and those about the same label in photos of the same chosen shelf, as one action.
    ///
    /// - Returns: the number of copies that are recorded on the label's shelf.
    /// - Throws: `LibraryError.notFound`; `.invalid` if a name is needed; `.notPossible` if it was answered before.
    package func answer(_ question: RowID<LabelQuestion>, with answer: LabelAnswer) async throws -> Int {
        try await write { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT kind, text, answeredAt, photo.shelf AS chosen
                        FROM labelQuestion q JOIN photo ON photo.id = photo WHERE q.id = ?
                        """, arguments: [question])
            else { throw LibraryError.notFound("question \(question)") }
            guard row["answeredAt"] as Int64? == nil else {
                throw LibraryError.notPossible("The question was answered before. Move the books, or undo the answer.")
            }
            let asked = AskedLabel(
                kind: try row.decode(forColumn: "kind"), text: row["text"], chosen: row["chosen"])
            let questions = try db.openQuestions(asked)
            let action = try db.beginAction(.move)
            let moved = try answer.accept ? db.file(questions, asked, onShelfNamed: answer.name) : 0
            try db.execute(
                "UPDATE labelQuestion SET answeredAt = ? WHERE id IN (SELECT value FROM json_each(?))",
                [db.milliseconds, questions])
            try db.finish(action)
            return moved
        }
    }
}

/// The same question about some photos.
private struct AskedLabel {
    var kind: LabelQuestion.Kind
    var text: String
    var chosen: RowID<Shelf>?
}

extension Database {
    /// Asks about labels of a photo, unless it was asked before.
    func ask(_ questions: [LabelledRows.Question], about report: ScanImportReport, photo: RowID<Photo>) throws {
        let detections = Dictionary(report.books.map { ($0.id, $0.detection) }) { first, _ in first }
        for question in questions {
            try execute(
                """
                INSERT INTO labelQuestion (photo, kind, text) SELECT :photo, :kind, :text
                WHERE NOT EXISTS (SELECT 1 FROM labelQuestion WHERE photo = :photo AND text = :text)
                """, ["photo": photo, "kind": question.kind, "text": question.text])
            for detection in question.books.compactMap({ detections[$0] ?? nil }) {
                try execute(
                    """
                    INSERT INTO labelledSpine (question, detection) SELECT id, :detection FROM labelQuestion q
                    WHERE photo = :photo AND text = :text AND answeredAt IS NULL AND NOT EXISTS (
                        SELECT 1 FROM labelledSpine WHERE question = q.id AND detection = :detection)
                    """, ["detection": detection, "photo": photo, "text": question.text])
            }
        }
    }

    /// Returns the open questions about the same label in photos of the same chosen shelf, as a JSON array.
    fileprivate func openQuestions(_ asked: AskedLabel) throws -> String {
        try RowID<LabelQuestion>.fetchAll(
            self,
            sql: """
                SELECT q.id FROM labelQuestion q JOIN photo ON photo.id = q.photo
                WHERE q.kind = ? AND q.text = ? AND q.answeredAt IS NULL AND photo.shelf IS ?
                """, arguments: [asked.kind, asked.text, asked.chosen]
        ).jsonArray()
    }

    /// Records the copies above a label, which are on the chosen shelf, on that of the label.
    ///
    /// - Parameter questions: as a JSON array.
    /// - Returns: their number.
    fileprivate func file(_ questions: String, _ asked: AskedLabel, onShelfNamed name: String?) throws -> Int {
        let shelf = try shelf(for: asked, named: name)
        let photos = try RowID<Photo>.fetchAll(
            self, sql: "SELECT photo FROM labelQuestion WHERE id IN (SELECT value FROM json_each(?))",
            arguments: [questions])
        try execute(
            """
            UPDATE entry SET shelf = ?, revision = revision + 1 WHERE shelf IS ? AND id IN (
                SELECT entry FROM detection WHERE outcome = 'entry' AND id IN (
                    SELECT detection FROM labelledSpine WHERE question IN (SELECT value FROM json_each(?))))
            """, [shelf, asked.chosen, questions])
        let moved = changesCount
        for photo in photos { try file(photo, on: shelf, chosen: asked.chosen) }
        return moved
    }

    /// Returns the shelf that a label or sign names, and creates it if there is none.
    private func shelf(for asked: AskedLabel, named name: String?) throws -> RowID<Shelf> {
        let code = PlaceCode(asked.text)
        if let known = try code.flatMap({ try shelf(with: $0) }) { return known }
        guard let path = name ?? (code == nil ? asked.text : nil) else {
            throw asked.kind == .otherShelf
                ? LibraryError.notPossible("No shelf has the code \(asked.text) any more. Give one this code.")
                : .invalid(field: "name", reason: "no shelf has the code \(asked.text). Name the shelf.")
        }
        if let known = try shelf(called: path) {
            guard let code else { return known }
            let current = try details(of: known)
            var new = current
            new.code = code.description
            try update(known, from: current, to: new)
            return known
        }
        var room = ShelfRoom()
        let (id, new) = try shelf(at: PlacePath(path), code: code?.description, room: &room)
        try recordNew(new)
        return id
    }

    /// Records the shelf of a photo as an import with the label would have done.
    private func file(_ photo: RowID<Photo>, on shelf: RowID<Shelf>, chosen: RowID<Shelf>?) throws {
        let hasOthers = try Bool.fetchOne(
            self,
            sql: """
                SELECT EXISTS (SELECT 1 FROM detection WHERE photo = :photo AND outcome = 'entry' AND id NOT IN (
                    SELECT detection FROM labelledSpine JOIN labelQuestion q ON q.id = question
                    WHERE q.photo = :photo))
                """, arguments: ["photo": photo])
        guard hasOthers == true else { return try execute("UPDATE photo SET shelf = ? WHERE id = ?", [shelf, photo]) }
        let around = try chosen.flatMap { try self.shelf(around: [$0, shelf]) }
        let place = try around ?? chosen ?? self.shelf(shelf).parent
        if let place { try execute("UPDATE photo SET shelf = ? WHERE id = ?", [place, photo]) }
    }
}
