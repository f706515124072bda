public import ArgumentParser
import Foundation
import Library
package import ShelflistAPI
import ShelflistClient
import Terminal

struct ReviewRecropCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "recrop", abstract: "Change the box of a spine and read the spine again.",
        discussion: """
            The box is in fractions of the upright photo, as in 'shelflist review list --format json': left, top, width and \
            height, separated by commas.

            A book that needs review gets the new title; one that you have confirmed keeps its title, and only its position \
            changes. Undo with: shelflist review undo

            Example:
              shelflist review recrop 12 --box 0.42,0.21,0.05,0.60
            """)

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Option(help: ArgumentHelp("The position of the spine.", valueName: "left,top,width,height")) var box: UnitRect
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        var item = try await client.review.move(try await client.review.item(id.item), to: box)
        item.undoToken = nil
        options.show(item) {
            let author = item.author.map { " by " + $0 } ?? ""
            return ["Read: \(TerminalText.safe((item.title ?? "") + author)) (\(ReviewWords.sureness(item)))."]
        }
    }
}

extension UnitRect: ExpressibleByArgument {
    package init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).compactMap {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
