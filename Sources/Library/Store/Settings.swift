import GRDB

extension LibraryStore {
    /// What the threshold may be: 0.40...0.90.
    public static let thresholdRange = 0.40...0.90
    public static let standardThreshold = 0.60

    /// The confidence below which a book goes to the review queue.
    public func reviewThreshold() async throws -> Double {
        try await setting("reviewThreshold").flatMap(Double.init) ?? Self.standardThreshold
    }

    /// - Throws: `LibraryError.invalid` outside of 0.40...0.90.
    public func setReviewThreshold(_ threshold: Double) async throws {
        try await set("reviewThreshold", to: String(try Self.checked(threshold)))
    }

    /// The one that a caller names, checked, else the setting.
    func reviewThreshold(_ named: Double?) async throws -> Double {
        if let named { return try Self.checked(named) }
        return try await reviewThreshold()
    }

    /// Whether photos stay once their books are reviewed, for finding books by their place.
    public func keepsShelfPhotos() async throws -> Bool { try await setting("keepShelfPhotos") == "true" }

    public func setKeepsShelfPhotos(_ keeps: Bool) async throws {
        try await set("keepShelfPhotos", to: keeps ? "true" : "false")
    }

    private static func checked(_ threshold: Double) throws -> Double {
        guard thresholdRange.contains(threshold) else {
            throw LibraryError.invalid(field: "threshold", reason: "it is \(threshold); it may be 0.40 to 0.90.")
        }
        return threshold
    }

    private func setting(_ name: String) async throws -> String? {
        try await read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    private func set(_ name: String, to value: String) async throws {
        try await write {
            try $0.execute(
                "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [name, value])
        }
    }
}
