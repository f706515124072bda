package import Bibliography
package import Foundation
import GRDB
import Synchronization

/// The catalog at a path as it is now, for a program that runs on while the file is imported, replaced or deleted.
package final class CatalogFile: Sendable {
    private struct Opened {
        var catalog: Catalog
        /// The file's number in its file system; another file at the path has another.
        var inode: Int
    }

    private let url: URL
    private let opened = Mutex<Opened?>(nil)

    package init(_ url: URL) { self.url = url }

    /// Whether there is a file; looks into nothing.
    package var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

    /// The catalog, whatever is in it; nil where there is no file.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    package func catalog() throws -> Catalog? { try open()?.catalog }

    /// The catalog with a version that changes with each import; nil where there is none that can be searched yet.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    package func snapshot() throws -> CatalogSnapshot? {
        guard let opened = try open() else { return nil }
        return try opened.catalog.generation().map {
            CatalogSnapshot(search: opened.catalog, version: "\(opened.inode) \($0)")
        }
    }

    private func open() throws -> Opened? {
        guard exists else {
            opened.withLock { $0 = nil }
            return nil
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        let inode = (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? 0
        return try opened.withLock { opened in
            if let opened, opened.inode == inode { return opened }
            let new = Opened(catalog: try Catalog(existingAt: url.path), inode: inode)
            opened = new
            return new
        }
    }
}

extension Catalog {
    /// How often the word index was brought up to date; nil while it is not there, or holds nothing.
    fileprivate func generation() throws -> Int? {
        try database.read { db in
            guard try CatalogSchema.indexState(db) != .none else { return nil }
            return try CatalogSchema.integer(db, "generation")
        }
    }
}
