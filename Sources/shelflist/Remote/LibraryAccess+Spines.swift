import Library
import Lookup
import Reading
import Server
import ShelflistAPI
import ShelflistClient

extension LocalLibrary {
    func crop(of id: RowID<LibraryEntry>, turn: SpineTurn, longSide: Int) async throws -> [UInt8] {
        try await store.spineJPEG(try await detection(of: id), turn: turn, longSide: longSide)
    }

    func recrop(_ id: RowID<LibraryEntry>, to box: UnitRect) async throws -> ReviewQueueItem {
        let installation = try Installation.locate()
        let records = CatalogFiles.localRecords(in: store.folder.url, of: installation)
        let scanner = try PhotoScanner(
            installation: installation, cache: installation.cache(for: store.folder.url), catalog: records.snapshot)
        _ = try await store.recrop(id, to: SpineOutline(box)) { try await scanner.reread($0) }
        return try await item(id)
    }

    func report(_ report: SpineReport, on id: RowID<LibraryEntry>) async throws -> SpineReport {
        let detection = try await detection(of: id)
        try await store.report(detection, try report.report())
        return report.on("\(detection)")
    }

    var howToSeeReports: String { "To see all: shelflist activity export --format json" }

    private func detection(of id: RowID<LibraryEntry>) async throws -> RowID<Detection> {
        guard let detection = try await store.reviewItem(id).detection else { throw LibraryError.noPhoto }
        return detection.id
    }

    /// Returns a book as an item of the queue, whether it waits there or not.
    func item(_ id: RowID<LibraryEntry>) async throws -> ReviewQueueItem {
        let detail = try await store.entry(id)
        return ReviewQueueItem(
            try await store.reviewItem(id), reviewStatus: detail.work.reviewStatus, shelf: detail.shelf)
    }
}

extension ServerLibrary {
    func crop(of id: RowID<LibraryEntry>, turn: SpineTurn, longSide: Int) async throws -> [UInt8] {
        [UInt8](
            try await client.review.crop(
                ofDetection: try await detection(of: id), turn: turn.rawValue, longSide: longSide))
    }

    func recrop(_ id: RowID<LibraryEntry>, to box: UnitRect) async throws -> ReviewQueueItem {
        var item = try await client.review.move(try await client.review.item(Self.item(id)), to: box)
        item.undoToken = nil
        return item
    }

    func report(_ report: SpineReport, on id: RowID<LibraryEntry>) async throws -> SpineReport {
        let report = report.on(try await detection(of: id))
        try await client.review.report(report)
        return report
    }

    var howToSeeReports: String {
        "To see all, on the server's machine: shelflist activity export --format json"
    }

    private func detection(of id: RowID<LibraryEntry>) async throws -> String {
        let item = try await client.review.item(Self.item(id))
        // A book without a spine is named by its copy.
        guard item.photoId != nil else { throw LibraryError.noPhoto }
        return item.id
    }
}

extension SpineReport {
    fileprivate func on(_ detection: String) -> SpineReport {
        var report = self
        report.detectionId = detection
        return report
    }
}

extension LibraryError {
    fileprivate static let noPhoto = LibraryError.notPossible("No photo shows this book.")
}
