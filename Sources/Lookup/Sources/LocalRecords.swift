package import Bibliography
package import Catalog
package import Foundation
package import Library

/// The records on this machine that a spine can be matched with: the confirmed books of the library, the user's catalog,
/// what providers returned before, and the starter list.
package struct LocalRecords: Sendable {
    private let library: LibraryRecords?
    private let catalog: CatalogFile?
    package let received: ReceivedRecords
    private let starter: StarterList?
    private let bookKeys = BookKeys()

    /// Uses the files of a data directory.
    ///
    /// Indexes the starter list first if that was not done yet, which takes about a second.
    /// - Parameters:
    ///   - library: nil if there is none, or it cannot be used.
    ///   - catalog: the user's; nil if it cannot be used.
    ///   - cache: the folder of the starter list's index.
    ///   - starterList: the packed list that comes with the program.
    ///   - onFailure: receives a sentence if the starter list cannot be used.
    package init(
        data: URL, library: LibraryStore?, catalog: CatalogFile?, starterList: URL, cache: URL,
        onFailure: (String) -> Void
    ) {
        self.library = library.map { LibraryRecords($0) }
        self.catalog = catalog
        received = ReceivedRecords(folder: data.appending(path: "records", directoryHint: .isDirectory))
        let list = StarterList(list: starterList, folder: cache)
        do {
            _ = try list.catalog()
            starter = list
        } catch {
            onFailure("The list of well-known works cannot be used: \(error)")
            starter = nil
        }
    }

    /// Returns everything as one catalog; nil if there is nothing to search.
    ///
    /// Only the user's catalog checks a spine that it does not explain: a library has few of the books that exist.
    ///
    /// - Throws: `CatalogError`, `ImportFailure`, `DatabaseError`, `LibraryError`, `StorageError`.
    package func snapshot() throws -> CatalogSnapshot? {
        let (books, own) = (try library?.snapshot(), try catalog?.snapshot())
        var snapshots = [books, own].compactMap(\.self)
        snapshots += try received.catalogs().compactMap { try $0.snapshot() }
        if let starter = try starter?.catalog().snapshot() { snapshots.append(starter) }
        guard !snapshots.isEmpty else { return nil }
        var snapshot = CatalogSnapshot(
            search: CombinedCatalog(snapshots.map(\.search), keys: bookKeys),
            version: snapshots.map(\.version).joined(separator: ", "), checks: own != nil)
        snapshot.knownSpines = books?.knownSpines ?? []
        return snapshot
    }

    /// Returns the records of the copies that a photo of a shelf is expected to show, one for each copy.
    ///
    /// - Parameter shelf: the ID of the shelf.
    /// - Throws: `DatabaseError`, `LibraryError`, `StorageError`.
    package func expected(onShelf shelf: String) throws -> [BookRecord] {
        try library?.expected(onShelf: shelf) ?? []
    }
}
