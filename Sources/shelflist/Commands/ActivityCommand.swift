import ArgumentParser
import DelimitedText
import Foundation
import Library
import ShelflistAPI
import Terminal

struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "Show what happened in the library; the log stays on this machine.",
        subcommands: [ActivityExportCommand.self], defaultSubcommand: ActivityExportCommand.self)
}

struct ActivityExportCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the activity log and the reports on readings.",
        discussion: """
            With --spines, prints what was read on the spines on whose books you decided, with title and author, as CSV for \
            Scripts/fitting. It has no dates, shelves, notes or photos, and is sent nowhere.
            """)

    @Option(help: "Only events since this day: 2026-11-21.") var since: String?
    @Flag(help: "Print the texts of spines with their books instead.") var spines = false
    @OptionGroup var options: LocalLibraryOptions

    private struct Document: Encodable {
        var events: [RecordedActivity]
        var feedback: [Feedback]
    }

    func validate() throws {
        if spines, since != nil { throw ValidationError("--spines prints all spines. Leave out --since.") }
    }

    func run(_ store: LibraryStore) async throws {
        if spines { return StandardStream.output.write(try Self.spines(of: store)) }
        let date = try since.map { text in
            guard let date = PartialDate(rawValue: text)?.firstMoment else {
                throw LibraryError.invalid(
                    field: "--since", reason: "“\(text)” is not a day. Use the form 2026-11-21.")
            }
            return date
        }
        let document = Document(
            events: try await store.activity(since: date), feedback: try await store.feedback(since: date))
        options.show(document) {
            guard !document.events.isEmpty || !document.feedback.isEmpty else { return ["Nothing has happened yet."] }
            return events(document.events) + reports(document.feedback)
        }
    }

    /// Returns the texts in the form of the bench's `spine_text.csv`.
    private static func spines(of store: LibraryStore) throws -> String {
        let rows = try store.confirmedBooks().flatMap { book in
            book.spines.map { lines in
                [lines.joined(separator: " "), book.title, book.authors.joined(separator: ", "), "yes"]
            }
        }
        return CSVWriter.plainRecord(["id", "text", "title", "author", "in_catalog"])
            + rows.enumerated().map { CSVWriter.plainRecord(["own/\($0 + 1)"] + $1) }.joined()
    }

    private func events(_ events: [RecordedActivity]) -> [String] {
        guard !events.isEmpty else { return [] }
        return TerminalTable(
            columns: [.init("when"), .init("event", atLeast: 20), .init("data", dropped: 1)],
            rows: events.map { event in
                let data = event.data.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.words)" }
                return [
                    .init(event.at.formatted(.iso8601), .dim), .init(event.name),
                    .init(data.joined(separator: " "), .dim),
                ]
            }
        ).onTerminal()
    }

    private func reports(_ reports: [Feedback]) -> [String] {
        guard !reports.isEmpty else { return [] }
        let table = TerminalTable(
            columns: [.init("when"), .init("report"), .init("read", atLeast: 16), .init("right", dropped: 1)],
            rows: reports.map { report in
                let judgement = report.correct ? "correct" : report.problem?.rawValue ?? report.note ?? "wrong"
                return [
                    .init(report.at.formatted(.iso8601), .dim), .init(judgement), .init(report.readTitle ?? ""),
                    .init(report.rightTitle ?? "", .dim),
                ]
            })
        return ["", "Reports on readings (with their pictures: --format json)"] + table.onTerminal()
    }
}

extension ActivityValue {
    fileprivate var words: String {
        switch self {
        case .flag(let flag): String(flag)
        case .number(let number): String(number)
        case .text(let text): text
        }
    }
}
