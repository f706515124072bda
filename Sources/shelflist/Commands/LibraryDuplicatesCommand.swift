public import ArgumentParser
import Library
public import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryDuplicatesCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "duplicates", abstract: "List books that may be in the library twice, or decide on them.",
        discussion: """
            skip: do not add it. add-copy: add it as a second copy. existing: it is the existing copy. different: it is \
            another book. Decisions are remembered. Undo with: shelflist review undo
            """)

    @Argument(help: "The numbers of the questions.") var ids: [RowID<DuplicateQuestion>] = []
    @Option(help: "The decision: skip, add-copy, existing or different.") var decide: DuplicateDecision?
    @Flag(help: "Apply the decision to all.") var all = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if decide == nil, all || !ids.isEmpty { throw ValidationError("No decision is given. Add --decide.") }
        if decide != nil, ids.isEmpty == !all { throw ValidationError("Name the duplicates by number, or add --all.") }
    }

    func run(_ client: ShelflistClient) async throws {
        let questions = try await client.review.duplicates.first().items
        guard let decide else { return options.show(["questions": questions]) { Self.lines(questions) } }
        if let unknown = ids.first(where: { id in !questions.contains { $0.id == "\(id)" } }) {
            throw LibraryError.notFound("open question \(unknown)")
        }
        let chosen = all ? questions : questions.filter { question in ids.contains { question.id == "\($0)" } }
        let count = chosen.isEmpty ? 0 : try await client.review.decide(duplicates: chosen.map(\.id), decide).changed
        options.show(["decided": count]) { [count == 1 ? "Decided 1." : "Decided \(count)."] }
    }

    private static func lines(_ questions: [PossibleDuplicate]) -> [String] {
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
                    case nil: "another reason"
                    }
                return [
                    .init(question.id, .dim), .init(name(question.title, question.authors)),
                    .init(name(question.existing.title, question.existing.authors)), .init(why, .dim),
                ]
            }
        ).onTerminal()
    }
}

extension DuplicateDecision: ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument == "add-copy" ? "addCopy" : argument) }

    public static var allValueStrings: [String] { allCases.map { $0 == .addCopy ? "add-copy" : $0.rawValue } }
}
