import Bibliography
package import Foundation
import GRDB

extension LibraryStore {
    /// Returns the photos of a shelf that were added since then, by the names of their scans.
    package func views(of shelf: RowID<Shelf>, since start: Date) async throws -> [ShelfPhotoView] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT job, at, readTitle, entry
                    FROM scanPhoto JOIN photo ON photo.id = photo LEFT JOIN detection USING (photo, job)
                    WHERE shelf = ? AND at >= ?
                    """, arguments: [shelf, start.milliseconds])
            return Dictionary(grouping: rows) { $0["job"] as String }.map { scan, rows in
                ShelfPhotoView(
                    scan: scan, at: Date(milliseconds: rows.map { $0["at"] as Int64 }.max() ?? 0),
                    spines: rows.map { (title: $0["readTitle"] as String?, copy: $0["entry"] as RowID<LibraryEntry>?) })
            }
        }
    }
}

/// What photos of a shelf show, to find those that a later one replaces.
package struct ShelfPhotoView: Hashable, Sendable {
    private struct Spine: Hashable {
        /// Folded; empty if it was not read.
        var title: String
        /// Nil if the photo was not added, or the spine waits for a decision.
        var copy: RowID<LibraryEntry>?
    }

    /// The name of the photo, or of photos, as a scan.
    package var scan: String
    package var at: Date
    private let spines: [Spine]

    /// The share of its books from which a photo is replaced by later ones, and does not only overlap with them.
    private static let replacedFrom = 0.5

    package init(scan: String, at: Date, titles: [String]) {
        self.init(scan: scan, at: at, spines: titles.map { (title: $0, copy: nil) })
    }

    package init(scan: String, at: Date, spines: [(title: String?, copy: RowID<LibraryEntry>?)]) {
        (self.scan, self.at) = (scan, at)
        self.spines = spines.map { Spine(title: TextNormalisation.fold($0.title ?? ""), copy: $0.copy) }
            .filter { !$0.title.isEmpty || $0.copy != nil }
    }

    /// Returns the photos that together show the shelf as it was last photographed: a bookcase takes one
    /// for each board, and a board may have been photographed again.
    package static func latest(of views: [ShelfPhotoView]) -> [ShelfPhotoView] {
        views.sorted { ($0.at, $0.scan) > ($1.at, $1.scan) }.reduce(into: []) { latest, view in
            if !view.isReplaced(by: latest) { latest.append(view) }
        }
    }

    /// Whether later photos show most of its books.
    ///
    /// The photos of one scan do not replace each other. Neighbouring boards may have the same titles, so the copies decide
    /// where they are known, and otherwise the titles that the photo shows once.
    private func isReplaced(by later: [ShelfPhotoView]) -> Bool {
        let own = ScanName.scan(scan)
        let others = later.filter { ScanName.scan($0.scan) != own }.flatMap(\.spines)
        guard !spines.isEmpty else { return !later.isEmpty }
        let copies = Set(others.compactMap(\.copy))
        let titles = Set(others.map(\.title)), unadded = Set(others.filter { $0.copy == nil }.map(\.title))
        let numbers = Dictionary(spines.map { ($0.title, 1) }, uniquingKeysWith: +)
        let counted = spines.filter { $0.copy != nil || numbers[$0.title] == 1 }
        let shown = counted.count { spine in
            let isOnce = !spine.title.isEmpty && numbers[spine.title] == 1
            guard let copy = spine.copy else { return isOnce && titles.contains(spine.title) }
            return copies.contains(copy) || isOnce && unadded.contains(spine.title)
        }
        return !counted.isEmpty && Double(shown) >= Self.replacedFrom * Double(counted.count)
    }
}
