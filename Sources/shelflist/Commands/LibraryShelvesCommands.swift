import ArgumentParser
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryShelvesCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "shelves", abstract: "List the shelves; rename or remove one.")

    @Option(help: "The shelf to rename or remove.") var shelf: String?
    @Option(help: "Its new name.") var rename: String?
    @Flag(help: "Remove the shelf; its books are kept without a position.") var remove = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if rename != nil || remove, shelf == nil { throw ValidationError("No shelf is named. Add --shelf.") }
    }

    func run(_ client: ShelflistClient) async throws {
        if let shelf {
            let known = try await client.shelves.existing(named: shelf)
            if let rename { _ = try await client.shelves.rename(known, to: rename) }
            if remove { try await client.shelves.remove(known.id) }
        }
        let shelves = try await client.shelves.all.first().items
        options.show(["shelves": shelves]) {
            guard !shelves.isEmpty else {
                return ["No shelves yet. Name one when you scan: shelflist scan --import --shelf Hall PHOTO"]
            }
            return TerminalTable(
                columns: [
                    .init("id", isRightAligned: true), .init("shelf", atLeast: 10),
                    .init("books", isRightAligned: true),
                ],
                rows: shelves.map { [.init($0.id, .dim), .init($0.name), .init(String($0.entries))] }
            ).onTerminal()
        }
    }
}
