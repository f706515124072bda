import ArgumentParser
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryLabelsCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "labels", abstract: "Write a page that prints labels for shelves.",
        discussion: """
            Open the page in a browser and print it at 100 %, without margins. Fix each label below its board: photos that \
            show it file the books above it by themselves.

              shelflist library labels --sheet L7160 > labels.html
            """)

    @Option(help: "The sheet: L7160 (63.5 × 38.1 mm), L7651 (38.1 × 21.2 mm) or L4731 (25.4 × 10 mm).")
    var sheet = LabelSheet.l7160
    @Option(name: .customLong("shelf"), help: "A shelf; may be repeated. (default: all)") var shelves: [String] = []
    @Option(help: "The first free label of the sheet.") var first = 1
    @Option(help: "The address of the app, such as https://books.example; QR codes then open the shelf.")
    var address: String?
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard first >= 1, first <= sheet.count else {
            throw ValidationError("--first is \(first). The sheet \(sheet.rawValue) has \(sheet.count) labels.")
        }
    }

    func run(_ client: ShelflistClient) async throws {
        var ids: [String] = []
        for name in shelves { ids.append(try await client.shelves.existing(named: name).id) }
        let page = try await client.shelves.labels(
            of: ids.isEmpty ? nil : ids, on: sheet, first: first, address: address)
        StandardStream.output.write(String(decoding: page, as: UTF8.self))
    }
}
