import GRDB

/// Version 9: how copies came into the library.
extension LibrarySchema {
    static func keepSources(_ db: Database) throws {
        // Earlier versions did not record it. A photo that added a copy was imported with it, or waited for an answer
        // before; one that was taken later found the copy in the library.
        try db.execute(
            sql: """
                ALTER TABLE entry ADD COLUMN addedFrom TEXT NOT NULL DEFAULT 'hand'
                    CHECK (addedFrom IN ('photo', 'barcode', 'list', 'hand'));
                UPDATE entry SET addedFrom = 'list' WHERE work IN (SELECT work FROM importedRow);
                UPDATE entry SET addedFrom = 'photo' WHERE EXISTS (
                    SELECT 1 FROM detection WHERE detection.entry = entry.id AND createdAt <= addedAt);
                """)
    }
}
