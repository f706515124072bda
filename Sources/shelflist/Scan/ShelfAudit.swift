import ArgumentParser
import Foundation
import Imaging
import Library
import Reading
import ShelflistAPI
import ShelflistClient
import Terminal

/// `scan --shelf NAME` without `--import`: the photos are compared with the books of the shelf, and nothing is stored.
extension ScanCommand {
    /// Whether the command prints the comparison instead of the books of each photo.
    var isAudit: Bool { shelf != nil && !isImported }

    /// - Throws: `ValidationError` for an option that does not go with it.
    func checkOptionsOfAudit() throws {
        if compare != nil { throw ValidationError("--compare compares readers, not a shelf. Leave out --shelf.") }
        if format == .csv {
            throw ValidationError(
                "--shelf without --import prints a table or JSON. Use --format table or json, or add --import.")
        }
    }

    /// Returns the library that the photos are identified with; nil if there is none.
    ///
    /// A library that cannot be opened is reported on stderr, unless the command needs it.
    ///
    /// - Throws: `LibraryError`, `StorageError`.
    func openLibrary() throws -> LibraryStore? {
        let isNeeded = isImported || shelf != nil || check
        guard isNeeded || FileManager.default.fileExists(atPath: folder.database.path) else { return nil }
        do {
            return try LibraryStore(folder: folder)
        } catch  where !isNeeded {
            StandardStream.warn("The library is not used: \(error)")
            return nil
        }
    }

    /// Returns the shelf of `--shelf`, which an import creates; nil without the option.
    ///
    /// - Throws: `CommandError` with the paths of the existing shelves, `LibraryError`.
    func scannedShelf(in library: LibraryStore?) async throws -> Shelf? {
        guard let shelf, let library else { return nil }
        if isImported { return try await library.shelf(named: shelf) }
        if let known = try await library.existingShelf(named: shelf) { return known }
        throw CommandError.noShelf(named: shelf, among: try await library.shelves().map(\.path))
    }

    /// Prints how the photos differ from the books of the shelf.
    ///
    /// - Throws: `LibraryError`.
    func printAudit(of photos: [Int: ScannedPhoto], _ shelf: Shelf, in library: LibraryStore) async throws {
        let scans = photos.sorted { $0.key < $1.key }.map { index, photo in
            ScanImport(
                job: "photos/\(index + 1)", stored: nil, size: PixelSize(width: photo.width, height: photo.height),
                books: photo.books, shelf: shelf.id)
        }
        guard !scans.isEmpty else { return }
        let inventory = try await library.compareShelf(shelf.id, withUnadded: scans, at: Date())
        printAudit(inventory, ofShelf: shelf.path)
    }

    func printAudit(_ inventory: ShelfInventory, ofShelf name: String) {
        let text =
            format == .json
            ? JSONText.document(inventory)
            : inventory.lines(shelf: name).map { $0 + "\n" }.joined()
        StandardStream.output.write(text)
    }
}

extension CommandError {
    static func noShelf(named name: String, among names: [String]) -> CommandError {
        CommandError(
            "There is no shelf “\(name)”. "
                + (names.isEmpty ? "There are none yet." : "There are: \(names.joined(separator: ", "))."))
    }
}

extension ShelfInventory {
    /// Returns the groups of books that differ from what is recorded, as tables.
    ///
    /// - Parameter movedHere: whether the moved books were just recorded on this shelf.
    func lines(shelf: String, movedHere: Bool = false) -> [String] {
        let known = isFirst ? "in the first scan" : "as before"
        var lines = ["\(TerminalText.safe(shelf)): \(present.count) \(known)."]
        let groups: [(name: String, books: [LibraryBook])] = [
            ("New here", new), ("Not seen", missing), ("Lent", lent),
            (movedHere ? "Moved here" : "Was elsewhere", moved),
        ]
        for (name, books) in groups where !books.isEmpty {
            lines += ["", "\(name) (\(books.count))"] + LibraryListCommand.table(books).onTerminal()
        }
        if !notShown.isEmpty {
            lines += ["", "\(notShown.count) in places that these photos do not show."]
        }
        if !notAdded.isEmpty {
            lines += ["", "Not in the library (\(notAdded.count))"] + notAddedTable.onTerminal()
        }
        if !questions.isEmpty {
            lines += ["", "\(questions.count) may be duplicates: shelflist library duplicates"]
        }
        return lines
    }

    private var notAddedTable: TerminalTable {
        TerminalTable(
            columns: [.init("title", atLeast: 20), .init("author", dropped: 1), .init("sure", isRightAligned: true)],
            rows: notAdded.map { book -> [TerminalTable.Cell] in
                let sure = book.confidence.formatted(.percent.precision(.fractionLength(0)))
                return [.init(book.title ?? "(unread)"), .init(book.author ?? ""), .init(sure)]
            })
    }
}
