import ArgumentParser
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

/// A day in the time zone of this machine.
struct Day: ExpressibleByArgument {
    /// Its first moment.
    let start: Date

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        let wanted = DateComponents(year: year, month: month, day: day)
        guard wanted.isValidDate(in: .current), let date = Calendar.current.date(from: wanted) else { return nil }
        start = date
    }
}

struct LibraryInventoryCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "inventory", abstract: "Compare the latest scan of a shelf with the previous state.",
        discussion: """
            Scan the shelf first: shelflist scan --import --shelf Hall PHOTO... Nothing is removed; --accept-moved records \
            that moved books are now on this shelf.
            """)

    @Argument(help: "The shelf.") var shelf: String
    @Option(name: .customLong("scan"), help: "Scans that together show the whole shelf. (default: the latest)")
    var scans: [String] = []
    @Option(help: "All photos of the shelf since this day (2026-11-26), for a bookcase of several boards.")
    var since: Day?
    @Flag(name: .customLong("accept-moved"), help: "Record that moved books are now here.") var acceptMoved = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard since == nil || scans.isEmpty else { throw ValidationError("--since cannot be combined with --scan.") }
    }

    func run(_ client: ShelflistClient) async throws {
        let known = try await client.shelves.existing(named: shelf)
        let inventory = try await inventory(of: known, client.shelves)
        if acceptMoved, !inventory.moved.isEmpty {
            try await client.library.move(inventory.moved.map(\.id), toShelf: known.id)
        }
        options.show(inventory) { lines(inventory, of: known) }
    }

    private func inventory(of shelf: LibraryShelf, _ shelves: ShelfRequests) async throws -> ShelfInventory {
        do {
            return try await shelves.inventory(
                shelf.id, ofScans: scans.isEmpty ? nil : scans, since: since?.start)
        } catch {
            guard error.problem?.code == "not_possible" else { throw error }
            throw CommandError(
                "No photo shows this shelf. Scan it: shelflist scan --import --shelf “\(shelf.path)” PHOTO")
        }
    }

    private func lines(_ inventory: ShelfInventory, of shelf: LibraryShelf) -> [String] {
        let groups = [
            ("New here", inventory.new), ("Not seen", inventory.missing), ("Lent", inventory.lent),
            (acceptMoved ? "Moved here" : "Was elsewhere", inventory.moved),
        ]
        let known = inventory.isFirst ? "in the first scan" : "as before"
        return ["\(TerminalText.safe(shelf.path)): \(inventory.present.count) \(known)."]
            + groups.filter { !$0.1.isEmpty }.flatMap { name, books in
                ["", "\(name) (\(books.count))"] + LibraryListCommand.table(books).onTerminal()
            }
            + (inventory.questions.isEmpty
                ? [] : ["", "\(inventory.questions.count) may be duplicates: shelflist library duplicates"])
    }
}
