import Concurrency
import GRDB

extension LibraryStore {
    /// The valid thresholds, 0.40...0.90.
    package static let thresholdRange = 0.40...0.90
    package static let standardThreshold = 0.60

    /// Returns the confidence below which a book is queued for review.
    package func reviewThreshold() async throws -> Double {
        try await read { try $0.reviewThreshold(nil) }
    }

    /// Returns whether photos are kept after their books are reviewed, so that books can be found by their place.
    package func keepsShelfPhotos() async throws -> Bool { try await setting("keepShelfPhotos") == "true" }

    /// Returns whether a smaller picture stays when a photo is deleted.
    package func keepsShelfPictures() async throws -> Bool { try await setting("keepShelfPictures") != "false" }

    /// Returns whether the server updates a downloaded catalog monthly.
    package func updatesCatalog() async throws -> Bool { try await setting("updateCatalog") == "true" }

    /// Returns whether the books of a scan wait until the user adds them.
    package func asksBeforeAdding() async throws -> Bool { try await setting("askBeforeAdding") == "true" }

    /// Changes the given settings, all or none.
    ///
    /// - Parameter alongside: stores other settings before these are committed; if it throws, nothing is changed.
    /// - Throws: `LibraryError.invalid` for a threshold outside of 0.40...0.90; the errors of `alongside`.
    package func set(
        reviewThreshold: Double? = nil, keepsShelfPhotos: Bool? = nil, keepsShelfPictures: Bool? = nil,
        updatesCatalog: Bool? = nil, asksBeforeAdding: Bool? = nil,
        alongside: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        let values = [
            "reviewThreshold": try reviewThreshold.map { String(try Self.checkedThreshold($0)) },
            "keepShelfPhotos": keepsShelfPhotos.map { "\($0)" },
            "keepShelfPictures": keepsShelfPictures.map { "\($0)" },
            "updateCatalog": updatesCatalog.map { "\($0)" },
            "askBeforeAdding": asksBeforeAdding.map { "\($0)" },
        ].compactMapValues { $0 }
        guard !values.isEmpty else { return try await BlockingExecutor.interactive.run(alongside) }
        try await write { db in
            for (name, value) in values {
                try db.execute(
                    """
                    INSERT INTO setting (name, value) VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    """, [name, value])
            }
            try alongside()
        }
    }

    /// - Throws: `LibraryError.invalid` outside of 0.40...0.90.
    package static func checkedThreshold(_ threshold: Double) throws -> Double {
        guard thresholdRange.contains(threshold) else {
            throw LibraryError.invalid(field: "threshold", reason: "it is \(threshold); it may be 0.40 to 0.90.")
        }
        return threshold
    }

    private func setting(_ name: String) async throws -> String? {
        try await read { try $0.setting(name) }
    }
}

extension Database {
    /// Returns the given threshold, checked, or the setting.
    func reviewThreshold(_ named: Double?) throws -> Double {
        if let named { return try LibraryStore.checkedThreshold(named) }
        return try setting("reviewThreshold").flatMap(Double.init) ?? LibraryStore.standardThreshold
    }

    fileprivate func setting(_ name: String) throws -> String? {
        try String.fetchOne(self, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
    }
}
