import ArgumentParser
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryValueCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "value", abstract: "Show what the books on each shelf cost and are worth.",
        discussion: """
            The value of a copy without one is its price. Books that are wished for or missing do not count. Set prices with \
            library edit --price '12.50 EUR', or by a list with a column “price”.
            """)

    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let value = try await client.library.value()
        options.show(value) { Self.lines(value) }
    }

    private static func lines(_ value: LibraryValue) -> [String] {
        func sums(_ place: LibraryValue.Place, _ amount: (LibraryValue.Sum) -> Int) -> String {
            place.sums.map { Money(amount: amount($0), currency: $0.currency).text }.joined(separator: ", ")
        }
        func row(_ name: String, _ place: LibraryValue.Place) -> [TerminalTable.Cell] {
            [
                .init(name), .init("\(place.copies)"), .init(sums(place, \.price)), .init(sums(place, \.value)),
                .init("\(place.withoutPrice)", .dim),
            ]
        }
        return TerminalTable(
            columns: [
                .init("shelf", atLeast: 10), .init("books", isRightAligned: true), .init("price", isRightAligned: true),
                .init("value", isRightAligned: true), .init("without price", isRightAligned: true),
            ],
            rows: value.places.map { row($0.shelf?.path ?? "no shelf", $0) } + [row("total", value.total)]
        ).onTerminal()
    }
}
