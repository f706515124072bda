/// How a copy came into the library.
package enum EntrySource: String, Codable, CaseIterable, Sendable {
    case photo, barcode, list
    /// Typed in, or chosen from search results.
    case hand
}

/// What the library has, in numbers.
package struct LibraryStats: Codable, Hashable, Sendable {
    /// How many copies have a property.
    package struct Count: Codable, Hashable, Sendable {
        package var key: String
        package var count: Int

        package init(key: String, count: Int) { (self.key, self.count) = (key, count) }
    }

    /// The scans that began in a month.
    package struct ScanMonth: Codable, Hashable, Sendable {
        /// In the form `2026-11`, in UTC.
        package var month: String
        package var started: Int
        /// How many of them were read to the end.
        package var completed: Int

        package init(month: String, started: Int, completed: Int) {
            (self.month, self.started, self.completed) = (month, started, completed)
        }
    }

    /// In bytes.
    package struct Storage: Codable, Hashable, Sendable {
        package var photos: Int
        package var covers: Int
        package var database: Int

        package init(photos: Int, covers: Int, database: Int) {
            (self.photos, self.covers, self.database) = (photos, covers, database)
        }
    }

    /// The number of copies.
    package var entries = 0
    package var works = 0
    package var authors = 0
    package var shelves = 0
    /// By the shelf's path, which is empty for copies without a shelf; the largest first.
    package var byShelf: [Count] = []
    /// By reading status, `none` or, for copies that the user does not have, ownership; the largest first.
    package var byStatus: [Count] = []
    /// In the form `1990`; the oldest first.
    package var byDecade: [Count] = []
    /// The twenty most common.
    package var byAuthor: [Count] = []
    /// In the form `2026-11`, in UTC; the oldest first.
    package var addedByMonth: [Count] = []
    /// By `EntrySource`, how the copies came into the library; the largest first.
    package var bySource: [Count] = []
    /// The oldest month first.
    package var scansByMonth: [ScanMonth] = []
    /// The number of photos that can be shown.
    package var photos = 0
    package var storageBytes: Storage

    package init(storageBytes: Storage) { self.storageBytes = storageBytes }
}
