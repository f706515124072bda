import Bibliography
import Foundation
import GRDB
import ShelflistAPI

/// The comparison of a shelf with scans that were not added, inside a transaction that is rolled back.
struct UnaddedComparison {
    let db: Database
    let shelf: RowID<Shelf>
    let threshold: Double
    let scannedAt: Date

    func compare(_ scans: [ScanImport], and names: [String]) throws -> ShelfInventory {
        let known = Set(try RowID<LibraryEntry>.fetchAll(db, sql: "SELECT id FROM entry").map(\.description))
        let asked = Set(
            try RowID<DuplicateQuestion>.fetchAll(db, sql: "SELECT id FROM duplicateQuestion").map(\.description))
        try db.checkShelf(shelf)
        var imported: [(scan: ScanImport, books: [ImportedBook])] = []
        for scan in scans {
            var scan = scan
            scan.shelf = shelf
            var importing = try ScanImporting(db: db, scan: scan, threshold: threshold, duplicates: .existing)
            let action = try db.beginAction(.addScan)
            imported.append((scan, try scan.books.map { try importing.take($0, nil, action) }))
            try db.finish(action)
        }
        var inventory = try db.compareShelf(shelf, with: scans.map(\.job) + names, scannedAt: scannedAt, isWhole: false)
        var twins: Set<String> = []
        for (scan, books) in imported {
            for (book, result) in zip(scan.books, books) {
                guard let entry = result.entry, !known.contains("\(entry)") else { continue }
                if let copy = twin(of: result, titled: book.title, in: inventory, except: twins) {
                    twins.insert(copy)
                } else {
                    inventory.notAdded.append(
                        .init(
                            jobId: scan.job, bookId: book.id, title: book.title, author: book.author,
                            confidence: book.confidence, cropUrl: nil))
                }
            }
        }
        let found = (inventory.missing + inventory.notShown).filter { twins.contains($0.id) }
        inventory.present = (inventory.present + found).filter { known.contains($0.id) }
        inventory.missing.removeAll { twins.contains($0.id) }
        inventory.notShown.removeAll { twins.contains($0.id) }
        inventory.new.removeAll { !known.contains($0.id) }
        inventory.questions.removeAll { !asked.contains($0.id) }
        return inventory
    }

    /// Returns the copy of the shelf that the scans do not show and that is nearly the same as a book, or was read with the
    /// same title.
    private func twin(
        of book: ImportedBook, titled title: String?, in inventory: ShelfInventory, except twins: Set<String>
    ) -> String? {
        let missing = (inventory.missing + inventory.notShown).filter { !twins.contains($0.id) }
        let (work, words) = (book.duplicateOf?.description, title.map(TextNormalisation.fold))
        return
            (missing.first { $0.workId == work }
            ?? missing.first { TextNormalisation.fold($0.title) == words })?.id
    }
}
