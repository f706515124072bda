import Bibliography
import GRDB

/// Version 8: series with the numbers of their volumes.
extension LibrarySchema {
    static func keepSeries(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE series (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    name TEXT NOT NULL CHECK (length(name) > 0),
                    -- As in `work`.
                    nameKey TEXT NOT NULL UNIQUE,
                    -- How many there are; NULL if that is not known.
                    volumes INTEGER CHECK (volumes IS NULL OR volumes BETWEEN 1 AND 1000),
                    isComplete INTEGER NOT NULL DEFAULT 0 CHECK (isComplete IN (0, 1))
                ) STRICT;
                -- SeriesNumber's raw value, and the folded name of the series.
                ALTER TABLE work ADD COLUMN seriesNumber TEXT;
                ALTER TABLE work ADD COLUMN seriesKey TEXT;
                CREATE INDEX workBySeries ON work(seriesKey) WHERE seriesKey IS NOT NULL;
                """)
        for work in try RowID<Work>.fetchAll(db, sql: "SELECT id FROM work WHERE series IS NOT NULL") {
            try db.describeSeries(ofWork: work)
        }
        // Texts with numbers are split when they are restored; one without had no number.
        try db.execute(
            sql: """
                INSERT INTO undoChange (action, operation, tableName, rowKey, columnName, value)
                SELECT action, operation, tableName, rowKey, 'seriesNumber', NULL FROM undoChange
                WHERE tableName = 'work' AND operation = 'update' AND columnName = 'series'
                """)
    }

    /// The series of a work with its number, `Earthsea, #3`, as `SeriesStatement` has it.
    static let seriesText = """
        CASE WHEN seriesNumber IS NULL THEN series ELSE series || ', #' || seriesNumber END
        """
}

extension Database {
    /// Computes what follows from the series of a work: its key, and the row of the series.
    ///
    /// A number at the end of the name, as versions before 8 recorded it, becomes the number; a text that names several
    /// series stays as it is.
    func describeSeries(ofWork work: RowID<Work>) throws {
        guard
            let row = try Row.fetchOne(
                cachedStatement(sql: "SELECT series, seriesNumber FROM work WHERE id = ?"), arguments: [work])
        else { return }
        var place = (row[0] as String?).map { SeriesStatement.namesSeveral($0) ? SeriesStatement(name: $0) : .init($0) }
        let stored: SeriesNumber? = row[1]
        if place?.number == nil { place?.number = stored }
        let key = place.map { SortKey.title($0.name) }
        try execute(
            "UPDATE work SET series = ?, seriesNumber = ?, seriesKey = ? WHERE id = ?",
            [place?.name, place?.number, key, work])
        guard let place, let key else { return }
        try execute(
            "INSERT INTO series (name, nameKey) VALUES (?, ?) ON CONFLICT (nameKey) DO NOTHING", [place.name, key])
    }
}
