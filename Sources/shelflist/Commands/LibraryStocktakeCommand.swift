import ArgumentParser
import Foundation
import Server
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryStocktakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stocktake", abstract: "Check over days which copies of some shelves are still there.",
        discussion: """
            Photos that are added to the library make the copies on them seen: shelflist scan --import --shelf Hall PHOTO... \
            Several people can take photos at the same time, and stop and go on whenever they like.

              shelflist library stocktake start --shelf 'School / Room 2'
              shelflist library stocktake status --left
              shelflist library stocktake seen --barcode 4711
              shelflist library stocktake close
              shelflist library stocktake report > report.csv
            """,
        subcommands: [
            StocktakeStatusCommand.self, StocktakeStartCommand.self, StocktakeSeenCommand.self,
            StocktakeCloseCommand.self, StocktakeReportCommand.self, StocktakeRemoveCommand.self,
        ], defaultSubcommand: StocktakeStatusCommand.self)
}

/// Which stocktake a command is about.
struct StocktakeChoice: ParsableArguments {
    @Option(name: .customLong("stocktake"), help: ArgumentHelp("Its number. (default: the open one)", valueName: "id"))
    var id: String?

    /// - Parameter isOpen: whether the only choice without a number is an open one; otherwise the latest counts.
    func find(_ stocktakes: StocktakeRequests, isOpen: Bool) async throws -> Stocktake {
        if let id { return try await stocktakes.stocktake(id) }
        let all = try await stocktakes.all.page().items
        let open = all.filter { $0.closedAt == nil }
        if open.count > 1 {
            let names = open.map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
            throw CommandError("Several stocktakes are open: \(names). Choose one with --stocktake.")
        }
        guard let known = open.first ?? (isOpen ? nil : all.first) else {
            throw CommandError("There is no open stocktake. Start one: shelflist library stocktake start --shelf Hall")
        }
        return try await stocktakes.stocktake(known.id)
    }
}

struct StocktakeStartCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a stocktake of shelves, tags or books; of everything without an option.")

    @Option(help: "Its name. (default: the day)") var name: String?
    @Option(name: .customLong("shelf"), help: "A shelf, with those inside it; may be repeated.") var shelves: [String] =
        []
    @Option(name: .customLong("tag"), help: "A tag; may be repeated.") var tags: [String] = []
    @Option(name: .customLong("book"), help: "The number of a book; may be repeated.") var books: [String] = []
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        var new = NewStocktake(name: name)
        var places: [String] = []
        for shelf in shelves { places.append(try await client.shelves.existing(named: shelf).id) }
        new.shelves = places.isEmpty ? nil : places
        new.tags = tags.isEmpty ? nil : tags
        new.copies = books.isEmpty ? nil : books
        let stocktake = try await client.stocktakes.start(new)
        options.show(stocktake) {
            let expected = stocktake.counts.expected
            return [
                "Stocktake \(stocktake.id), “\(stocktake.name)”: \(expected) \(expected == 1 ? "copy" : "copies") to be seen."
            ]
        }
    }
}

struct StocktakeStatusCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the progress on each shelf, and what is left to photograph.")

    @OptionGroup var choice: StocktakeChoice
    @Flag(help: "Also list the copies that were not seen, and spines that may be one of them.") var left = false
    @OptionGroup var options: LibraryOptions

    private struct Document: Encodable {
        var stocktake: Stocktake
        var unseen: [StocktakeCopy]?
        var spines: [UnsureSpine]?
    }

    func run(_ client: ShelflistClient) async throws {
        let known = try await choice.find(client.stocktakes, isOpen: false)
        var document = Document(stocktake: known)
        if left {
            document.unseen = try await client.stocktakes.copies(of: known.id, state: .unseen).first().items
            document.spines = try await client.stocktakes.spines(of: known.id).first().items
        }
        options.show(document) { Self.lines(document) }
    }

    private static func lines(_ document: Document) -> [String] {
        let stocktake = document.stocktake
        let table = TerminalTable(
            columns: [
                .init("shelf", atLeast: 10), .init("seen", isRightAligned: true), .init("of", isRightAligned: true),
                .init("misplaced", isRightAligned: true), .init("lent", isRightAligned: true), .init("photo"),
            ],
            rows: (stocktake.places ?? []).map { place in
                [
                    .init(place.shelf?.path ?? "no shelf"), .init("\(place.counts.seen)"),
                    .init("\(place.counts.expected)"), .init("\(place.counts.misplaced)"),
                    .init("\(place.counts.lent)"), .init(place.photographed ? "yes" : "none", .dim),
                ]
            }
        ).onTerminal()
        let state = stocktake.closedAt == nil ? "" : ", closed"
        var lines = ["\(stocktake.name): \(stocktake.counts.seen) of \(stocktake.counts.expected) seen\(state)"] + table
        if let unseen = document.unseen, !unseen.isEmpty {
            lines += ["", "Not seen (\(unseen.count))"] + self.table(unseen)
        }
        for spine in document.spines ?? [] {
            let copies = spine.candidates.map { "\($0.entryId) \($0.title)" }.joined(separator: "; ")
            lines.append(
                "Spine \(spine.detectionId), “\(TerminalText.safe(spine.text))”: \(TerminalText.safe(copies))?")
        }
        return lines
    }

    private static func table(_ copies: [StocktakeCopy]) -> [String] {
        TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("title", atLeast: 10), .init("author", atLeast: 8),
                .init("shelf", dropped: 1),
            ],
            rows: copies.map { copy in
                [.init(copy.entryId, .dim), .init(copy.title), .init(copy.author), .init(copy.shelf?.path ?? "", .dim)]
            }
        ).onTerminal()
    }
}

struct StocktakeSeenCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "seen", abstract: "Record that copies were seen, by number or barcode.")

    @Argument(help: "The books' numbers.") var books: [String] = []
    @Option(name: .customLong("barcode"), parsing: .singleValue, help: "What a label's barcode says; may be repeated.")
    var barcodes: [String] = []
    @Option(help: "The shelf on which they were seen. (default: their own)") var shelf: String?
    @Option(help: ArgumentHelp("The spine of a photo that shows the book.", valueName: "id")) var spine: String?
    @Flag(help: "Take back that they were seen.") var undo = false
    @OptionGroup var choice: StocktakeChoice
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard !books.isEmpty || !barcodes.isEmpty else { throw ValidationError("Name books, or add --barcode.") }
        guard spine == nil || books.count == 1 && barcodes.isEmpty else {
            throw ValidationError("--spine is for one book. Name its number.")
        }
    }

    func run(_ client: ShelflistClient) async throws {
        let known = try await choice.find(client.stocktakes, isOpen: true)
        var place: String?
        if let shelf { place = try await client.shelves.existing(named: shelf).id }
        var requests = barcodes.map { SeenCopies(barcode: $0) }
        if !books.isEmpty { requests.append(SeenCopies(copies: books)) }
        var changed = 0
        for var request in requests {
            (request.shelf, request.detection, request.seen) = (place, spine, undo ? false : nil)
            changed += try await client.stocktakes.see(request, in: known.id).changed
        }
        let counts = try await client.stocktakes.stocktake(known.id).counts
        options.show(["changed": changed]) {
            ["\(changed) \(undo ? "taken back" : "seen"); \(counts.seen) of \(counts.expected) in all."]
        }
    }
}

struct StocktakeCloseCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close a stocktake: copies that were not seen are missing from now on.",
        discussion: "They come back when a later photo shows them.")

    @OptionGroup var choice: StocktakeChoice
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let known = try await choice.find(client.stocktakes, isOpen: true)
        let outcome = try await client.stocktakes.close(known.id)
        let missing = outcome.changed == 1 ? "1 copy is missing" : "\(outcome.changed) copies are missing"
        options.show(outcome) { ["Closed “\(TerminalText.safe(known.name))”: \(missing)."] }
    }
}

struct StocktakeReportCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Write the report as CSV, or as a page to print.")

    @OptionGroup var choice: StocktakeChoice
    @Flag(help: "Write a page of HTML.") var page = false
    @Option(help: "The language of the page: en or de.") var language = "en"
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let known = try await choice.find(client.stocktakes, isOpen: false)
        guard page else {
            let report = try await client.stocktakes.report(known.id)
            return StandardStream.output.write(String(decoding: report, as: UTF8.self))
        }
        guard let language = StocktakePage.Language(rawValue: language) else {
            throw CommandError("The page has no language “\(language)”. Use en or de.")
        }
        // The server sends the report in pages; this is the whole one.
        var pages = client.stocktakes.copies(of: known.id)
        pages.pageSize = RequestBounds.pageSize
        var copies: [StocktakeCopy] = []
        for try await copy in pages { copies.append(copy) }
        StandardStream.output.write(StocktakePage(stocktake: known, copies: copies, language: language).html)
    }
}

struct StocktakeRemoveCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a stocktake; the books stay as they are.")

    @Argument(help: "Its number.") var id: String
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let outcome = try await client.stocktakes.remove(id)
        options.show(outcome) { ["Removed."] }
    }
}
