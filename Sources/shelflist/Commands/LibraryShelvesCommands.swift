import ArgumentParser
import Foundation
package import Library
import Lookup
import Server
import ShelflistAPI

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

    func run(_ library: any LibraryAccess) async throws {
        if let shelf {
            let known = try await library.existingShelf(named: shelf)
            if let rename { try await library.rename(known, to: rename) }
            if remove { try await library.remove(known) }
        }
        let shelves = try await library.shelves()
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

struct LibraryInventoryCommand: UsesLocalLibrary {
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
    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "Check the shelf for missing books in the web app"

    func run(_ store: LibraryStore) async throws {
        let id = try await LocalLibrary(store: store).existingShelf(named: shelf).id
        guard let known = RowID<Shelf>(id) else { throw LibraryError.notFound("shelf \(id)") }
        var jobs = scans
        if jobs.isEmpty { jobs = try await store.latestScan(of: known).map { [$0] } ?? [] }
        guard !jobs.isEmpty else {
            throw LibraryError.notPossible(
                "No photo shows this shelf. Scan it: shelflist scan --import --shelf “\(shelf)” PHOTO")
        }
        let comparison = try await store.compareShelf(known, with: jobs)
        if acceptMoved { try await store.move(comparison.moved.map(\.id), to: known) }
        options.show(comparison) { lines(comparison) }
    }

    private func lines(_ comparison: ShelfComparison) -> [String] {
        let groups: [(String, [EntrySummary])] = [
            ("New here", comparison.new), ("Not seen", comparison.missing), ("Lent", comparison.lent),
            (acceptMoved ? "Moved here" : "Was elsewhere", comparison.moved),
        ]
        let known = comparison.isFirst ? "in the first scan" : "as before"
        return ["\(TerminalText.safe(comparison.shelf.name)): \(comparison.present.count) \(known)."]
            + groups.filter { !$0.1.isEmpty }.flatMap { name, entries in
                ["", "\(name) (\(entries.count))"]
                    + LibraryListCommand.table(entries.map { LibraryBook($0) }).onTerminal()
            }
            + (comparison.questions.isEmpty
                ? [] : ["", "\(comparison.questions.count) may be duplicates: shelflist library duplicates"])
    }
}

struct LibraryDuplicatesCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "duplicates", abstract: "List books that may be in the library twice, or decide on them.",
        discussion: """
            skip: do not add it. add-copy: add it as a second copy. existing: it is the existing copy. different: it is \
            another book. Decisions are remembered. Undo with: shelflist review undo
            """)

    @Argument(help: "The numbers of the questions.") var ids: [RowID<DuplicateQuestion>] = []
    @Option(help: "The decision: skip, add-copy, existing or different.") var decide: DuplicateDecision?
    @Flag(help: "Apply the decision to all.") var all = false
    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "Answer the questions in the web app"

    func validate() throws {
        if decide == nil, all || !ids.isEmpty { throw ValidationError("No decision is given. Add --decide.") }
        if decide != nil, ids.isEmpty == !all { throw ValidationError("Name the duplicates by number, or add --all.") }
    }

    func run(_ store: LibraryStore) async throws {
        let questions = try await store.duplicateQuestions()
        guard let decide else { return options.show(["questions": questions]) { Self.lines(questions) } }
        if let unknown = ids.first(where: { id in !questions.contains { $0.id == id } }) {
            throw LibraryError.notFound("open question \(unknown)")
        }
        let chosen = all ? questions : questions.filter { ids.contains($0.id) }
        let count = try await store.decide(chosen.map(\.id), decide)
        // Books that waited for this decision are looked up now, like the rest of their scan.
        let new = try await store.incompleteBooks(shownBy: chosen.compactMap(\.detection))
        options.show(["decided": count]) { [count == 1 ? "Decided 1." : "Decided \(count)."] }
        guard !new.isEmpty else { return }
        try await withCatalogs(options.folder) { catalogs in
            guard !catalogs.lookup.sources.isEmpty else { return }
            _ = try await catalogs.enrich(new, in: store)
        }
    }

    private static func lines(_ questions: [DuplicateQuestion]) -> [String] {
        guard !questions.isEmpty else { return ["Nothing to decide."] }
        func name(_ title: String, _ authors: [String]) -> String {
            ([title] + (authors.isEmpty ? [] : [authors.joined(separator: ", ")])).joined(separator: " – ")
        }
        return TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("found", atLeast: 16), .init("in the library", atLeast: 16),
                .init("why", dropped: 1),
            ],
            rows: questions.map { question in
                let why =
                    switch question.kind {
                    case .isbn: "same ISBN"
                    case .titleAndAuthor: "same title and author"
                    case .similar: "nearly the same"
                    case .readBefore: "corrected to it before"
                    }
                return [
                    .init(String(question.id.rawValue), .dim), .init(name(question.title, question.authors)),
                    .init(name(question.existingTitle, question.existingAuthors)), .init(why, .dim),
                ]
            }
        ).onTerminal()
    }
}

extension DuplicateDecision: ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument == "add-copy" ? "addCopy" : argument) }

    package static var allValueStrings: [String] { allCases.map { $0 == .addCopy ? "add-copy" : $0.rawValue } }
}
