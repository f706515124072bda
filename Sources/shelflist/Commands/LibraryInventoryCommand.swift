import ArgumentParser
import ShelflistAPI
import Terminal

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
    @Flag(name: .customLong("accept-moved"), help: "Record that moved books are now here.") var acceptMoved = false
    @OptionGroup var options: LibraryOptions

    func run(_ library: any LibraryAccess) async throws {
        let known = try await library.existingShelf(named: shelf)
        let inventory = try await library.inventory(of: known, scans: scans.isEmpty ? nil : scans)
        if acceptMoved { try await library.move(inventory.moved, to: known) }
        options.show(inventory) { lines(inventory, of: known) }
    }

    private func lines(_ inventory: ShelfInventory, of shelf: LibraryShelf) -> [String] {
        let groups = [
            ("New here", inventory.new), ("Not seen", inventory.missing), ("Lent", inventory.lent),
            (acceptMoved ? "Moved here" : "Was elsewhere", inventory.moved),
        ]
        let known = inventory.isFirst ? "in the first scan" : "as before"
        return ["\(TerminalText.safe(shelf.name)): \(inventory.present.count) \(known)."]
            + groups.filter { !$0.1.isEmpty }.flatMap { name, books in
                ["", "\(name) (\(books.count))"] + LibraryListCommand.table(books).onTerminal()
            }
            + (inventory.questions.isEmpty
                ? [] : ["", "\(inventory.questions.count) may be duplicates: shelflist library duplicates"])
    }
}
