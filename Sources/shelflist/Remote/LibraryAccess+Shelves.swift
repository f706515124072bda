import Foundation
import Library
import Server
import ShelflistAPI
import ShelflistClient

extension LocalLibrary {
    func shelves() async throws -> [LibraryShelf] { try await store.shelves().map(LibraryShelf.init) }

    func shelf(named name: String) async throws -> LibraryShelf { LibraryShelf(try await store.shelf(named: name)) }

    func rename(_ shelf: LibraryShelf, to name: String) async throws {
        _ = try await store.rename(try Self.id(shelf), to: name)
    }

    func remove(_ shelf: LibraryShelf) async throws { try await store.remove(try Self.id(shelf)) }

    func inventory(of shelf: LibraryShelf, scans: [String]?, since: Date?) async throws -> ShelfInventory {
        let id = try Self.id(shelf)
        if let since {
            let latest = ShelfPhotoView.latest(of: try await store.views(of: id, since: since))
            guard let first = latest.map(\.at).min() else { throw LibraryError.notScanned(shelf) }
            return ShelfInventory(
                try await store.compareShelf(id, withUnadded: [], and: latest.map(\.scan), at: first))
        }
        let latest = scans == nil ? try await store.latestScan(of: id) : nil
        guard let scans = scans ?? latest.map({ [$0] }) else { throw LibraryError.notScanned(shelf) }
        return ShelfInventory(try await store.compareShelf(id, with: scans))
    }

    func move(_ books: [LibraryBook], to shelf: LibraryShelf) async throws {
        try await store.move(books.compactMap { RowID($0.id) }, to: try Self.id(shelf))
    }

    private static func id(_ shelf: LibraryShelf) throws -> RowID<Shelf> {
        guard let id = RowID<Shelf>(shelf.id) else { throw LibraryError.notFound("shelf \(shelf.id)") }
        return id
    }
}

extension ServerLibrary {
    func shelves() async throws -> [LibraryShelf] {
        var shelves: [LibraryShelf] = []
        for try await shelf in client.shelves.all { shelves.append(shelf) }
        return shelves
    }

    func shelf(named name: String) async throws -> LibraryShelf { try await client.shelves.named(name) }

    func rename(_ shelf: LibraryShelf, to name: String) async throws {
        _ = try await client.shelves.rename(shelf, to: name)
    }

    func remove(_ shelf: LibraryShelf) async throws { _ = try await client.shelves.remove(shelf.id) }

    func inventory(of shelf: LibraryShelf, scans: [String]?, since: Date?) async throws -> ShelfInventory {
        do {
            return try await client.shelves.inventory(shelf.id, ofScans: scans, since: since)
        } catch let error where error.problem?.code == "not_possible" {
            throw LibraryError.notScanned(shelf)
        }
    }

    func move(_ books: [LibraryBook], to shelf: LibraryShelf) async throws {
        if !books.isEmpty { try await client.library.move(books.map(\.id), toShelf: shelf.id) }
    }
}

extension LibraryError {
    fileprivate static func notScanned(_ shelf: LibraryShelf) -> LibraryError {
        .notPossible(
            "No photo shows this shelf. Scan it: shelflist scan --import --shelf “\(shelf.name)” PHOTO")
    }
}
