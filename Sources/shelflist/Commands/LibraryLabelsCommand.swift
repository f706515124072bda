import ArgumentParser
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryLabelsCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "labels", abstract: "Write a page that prints labels for shelves, copies or spines.",
        discussion: """
            Open the page in a browser and print it at 100 %, without margins. Fix each label below its board: photos that \
            show it file the books above it by themselves.

              shelflist library labels --sheet L7160 > labels.html
              shelflist library labels --kind spine --shelf 'School / Room 2' --size 25x38 > spines.html
            """)

    @Option(
        help: "place: shelves. copy: title and barcode of each copy, its own or of its number. spine: call numbers.")
    var kind = LabelKind.place

    @Option(help: "The sheet: L7160 (63.5 × 38.1 mm), L7651 (38.1 × 21.2 mm) or L4731 (25.4 × 10 mm).")
    var sheet = LabelSheet.l7160
    @Option(help: "The width and height of labels on plain paper in mm, such as 50x30, in place of a sheet.")
    var size: String?
    @Option(
        name: .customLong("shelf"),
        help: "A shelf; may be repeated. With --kind copy or spine, the one whose copies get labels. (default: all)")
    var shelves: [String] = []
    @Option(name: .customLong("copy"), help: "The number of a copy, with --kind copy or spine; may be repeated.")
    var copies: [String] = []
    @Option(help: "The first free label of the sheet.") var first = 1
    @Option(help: "The address of the app, such as https://books.example; QR codes then open the shelf.")
    var address: String?
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        let layout = size.map { LabelLayout(size: $0) } ?? sheet.layout
        guard let layout else {
            throw ValidationError("--size is a width of 15 to 190 mm and a height of 8 to 270 mm, such as 50x30.")
        }
        guard first >= 1, first <= layout.count else {
            throw ValidationError("--first is \(first). The sheet \(layout.name) has \(layout.count) labels.")
        }
        if kind == .place, !copies.isEmpty { throw ValidationError("--copy needs --kind copy or --kind spine.") }
        if kind != .place, copies.isEmpty != (shelves.count == 1) {
            throw ValidationError("--kind \(kind.rawValue) needs one --shelf, or the copies: --copy.")
        }
    }

    func run(_ client: ShelflistClient) async throws {
        var ids: [String] = []
        for name in shelves { ids.append(try await client.shelves.existing(named: name).id) }
        let isOfShelves = kind == .place
        let chosen = isOfShelves ? ids : copies
        let page = try await client.shelves.labels(
            kind, of: chosen.isEmpty ? nil : chosen, onShelf: isOfShelves ? nil : ids.first, on: sheet, size: size,
            first: first, address: address)
        StandardStream.output.write(String(decoding: page, as: UTF8.self))
    }
}
