public import Foundation
import GRDB
import Synchronization

/// The catalog at a path as it is now, for a program that runs on while the file is imported, replaced or deleted.
public final class CatalogFile: Sendable {
    private struct Opened {
        var catalog: Catalog
        /// The file's number in its file system; another file at the path has another.
        var inode: Int
    }

    private let url: URL
    private let opened = Mutex<Opened?>(nil)

    public init(_ url: URL) { self.url = url }

    /// The catalog, and a name for its contents that is another after each import; nil where there is none that can be
    /// searched yet.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    public func current() throws -> (catalog: Catalog, state: String)? {
        guard FileManager.default.fileExists(atPath: url.path) else {
            opened.withLock { $0 = nil }
            return nil
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        let inode = (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? 0
        let catalog = try opened.withLock { opened in
            if let opened, opened.inode == inode { return opened.catalog }
            let catalog = try Catalog(existingAt: url.path)
            opened = Opened(catalog: catalog, inode: inode)
            return catalog
        }
        return try catalog.generation().map { (catalog, "\(inode) \($0)") }
    }
}

extension Catalog {
    /// How often the word index was brought up to date; nil while it is not there, or holds nothing.
    fileprivate func generation() throws -> Int? {
        try pool.read { db in
            guard try CatalogSchema.indexState(db) != .none else { return nil }
            return try CatalogSchema.integer(db, "generation")
        }
    }
}
