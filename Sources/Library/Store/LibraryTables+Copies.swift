import GRDB

/// Version 7: barcode, condition, price and value of copies, and the order of call numbers.
extension LibrarySchema {
    static func describeCopies(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE entry ADD COLUMN barcode TEXT;
                CREATE UNIQUE INDEX entryByBarcode ON entry(barcode) WHERE barcode IS NOT NULL;
                ALTER TABLE entry ADD COLUMN condition TEXT CHECK (
                    condition IS NULL OR condition IN ('new', 'fine', 'good', 'worn', 'poor', 'damaged'));
                -- In the smallest unit of the currency of ISO 4217.
                ALTER TABLE entry ADD COLUMN price INTEGER CHECK (price IS NULL OR price >= 0);
                ALTER TABLE entry ADD COLUMN currency TEXT CHECK ((currency IS NULL) = (price IS NULL));
                ALTER TABLE entry ADD COLUMN value INTEGER CHECK (value IS NULL OR value >= 0);
                ALTER TABLE entry ADD COLUMN valueCurrency TEXT CHECK ((valueCurrency IS NULL) = (value IS NULL));
                ALTER TABLE entry ADD COLUMN valuedOn TEXT;
                ALTER TABLE entry ADD COLUMN acquiredOn TEXT;
                ALTER TABLE entry ADD COLUMN acquiredFrom TEXT;
                -- CallNumber.sortKey.
                ALTER TABLE entry ADD COLUMN callNumberKey TEXT;
                """)
        for row in try Row.fetchAll(db, sql: "SELECT id, callNumber FROM entry WHERE callNumber IS NOT NULL") {
            try db.execute(
                sql: "UPDATE entry SET callNumberKey = ? WHERE id = ?",
                arguments: [CallNumber.sortKey(row["callNumber"]), row["id"] as Int64])
        }
    }
}
