package import Bibliography
package import Foundation
import GRDB
import Synchronization

/// Tracks the catalog at a path while the file may be imported into, replaced or deleted.
package final class CatalogFile: Sendable {
    private struct Opened {
        var catalog: Catalog
        /// The file's inode, which changes if the file is replaced.
        var inode: Int
    }

    private let url: URL
    private let opened = Mutex<Opened?>(nil)

    package init(_ url: URL) { self.url = url }

    package var path: String { url.path }

    /// Whether the file exists, whatever its content.
    package var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

    /// Returns the catalog; nil if the file does not exist.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    package func catalog() throws -> Catalog? { try open()?.catalog }

    /// Returns the catalog with a version that changes with each import; nil if there is no searchable catalog yet.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    package func snapshot() throws -> CatalogSnapshot? {
        guard let opened = try open(), var snapshot = try opened.catalog.snapshot() else { return nil }
        snapshot.version += " \(opened.inode)"
        return snapshot
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
    /// Returns the catalog with a version that changes with each import; nil while the word index is missing or empty.
    ///
    /// - Throws: `DatabaseError`.
    package func snapshot() throws -> CatalogSnapshot? {
        let generation = try database.read { db in
            try CatalogSchema.indexState(db) == .none ? nil : CatalogSchema.integer(db, "generation")
        }
        return generation.map { CatalogSnapshot(search: self, version: "\(source) \($0)") }
    }
}
