import Bibliography
import Bounds
import Concurrency
import Foundation
import Imaging
import Library
import ShelflistAPI
import ShelflistClient
import Terminal

/// Shows one book at a time, waits for a key, and applies the decision.
struct ReviewSession {
    let client: ShelflistClient
    /// The items skipped in this session.
    var passed: Set<String> = []
    var note: String?

    /// A book that waits for review, as it is shown.
    private struct Shown {
        var item: ReviewQueueItem
        var book: LibraryBook

        var title: String { item.title ?? book.title }
    }

    private static let keys = [
        "[v] verify", "[e] edit", "[m] match", "[1–3] take that one", "[r] reject", "[n] next",
        "[a] verify all like it",
        "[u] undo", "[q] quit",
    ].map { $0.replacing(scalar: " ", with: "\u{A0}") }.joined(separator: "  ")

    mutating func run() async throws {
        while true {
            let (items, counts) = try await client.review.first(passed.count + 1, kind: .detection)
            guard let item = items.first(where: { !passed.contains($0.id) }), let id = item.entryId else {
                let left = counts.books
                show(
                    [note, left == 0 ? "Nothing left to review." : "\(left) left for another time."].compactMap { $0 })
                return
            }
            let shown = Shown(item: item, book: try await client.library.book(id))
            show(await lines(shown, counts))
            guard let key = TerminalKey.read() else { return }
            note = nil
            do {
                guard try await handle(key, shown) else { return }
            } catch let error as CommandError {
                note = error.description
            } catch let error as ShelflistError {
                note = error.description
            }
        }
    }

    /// - Returns: whether the session continues.
    private mutating func handle(_ key: Character, _ shown: Shown) async throws -> Bool {
        switch key {
        case "v", "\n", "\r":
            try await client.review.verify(shown.item.id, ifMatch: shown.item.etag)
            note = "Verified: \(shown.title)"
        case "e": try await edit(shown)
        case "m": try await search(shown)
        case "1", "2", "3":
            guard let number = key.wholeNumberValue, shown.item.matches.indices.contains(number - 1) else {
                return true
            }
            let match = shown.item.matches[number - 1]
            let record = BookRecord(
                id: "", title: match.title, subtitle: match.subtitle, authors: match.author.map { [$0] } ?? [],
                isbn: match.isbn, source: match.source)
            try await take(SearchRecord(record), for: shown)
        case "r":
            try await client.review.reject(shown.item.id, ifMatch: shown.item.etag)
            note = "Rejected: \(shown.title)"
        case "n", " ": passed.insert(shown.item.id)
        case "a": try await verifyAll(like: shown.item)
        case "u":
            let undone = try await client.review.undoLatest().undone
            note = undone.map { "Undone: \(ReviewWords.action($0))" } ?? "Nothing to undo."
            passed = []
        case "q", "\u{3}", "\u{4}", "\u{1B}": return false
        default: break
        }
        return true
    }

    /// Asks for confirmation, because it verifies books that have not been shown.
    private mutating func verifyAll(like item: ReviewQueueItem) async throws {
        guard let tier = item.tier else { return }
        // As many as the server verifies as one action.
        let (books, total) = try await client.review.items(tier: tier, kind: .detection).first(RequestBounds.ids)
        let (which, name) = ("\(books.count < total ? "The first" : "All") \(books.count)", tier.words)
        let titles = books.map { book in
            "  " + [book.title, book.author].compactMap { $0.map(TerminalText.safe) }.joined(separator: " – ")
        }
        show(
            titles + [
                "", "\(which) of “\(name)” become verified as they are.", "",
                "[y] verify them  [any other key] back",
            ])
        guard TerminalKey.read() == "y" else { return }
        // Those that were shown, not what came since.
        let count = try await client.review.verify(all: books.compactMap { $0.entryId.map { "e\($0)" } }).changed
        note = "Verified \(count) of “\(name)”. [u] undoes it."
    }

    private mutating func edit(_ shown: Shown) async throws {
        let names = try await client.library.work(shown.book.workId).authors.map(\.name)
        let old = (title: shown.book.title, authors: names.joined(separator: "; "), isbn: shown.book.isbn ?? "")
        guard let title = ask("Title", old.title), let authors = ask("Authors, with semicolons between", old.authors),
            let isbn = ask("ISBN", old.isbn)
        else { return }
        var correction = BookCorrection(title: title)
        if authors != old.authors {
            correction.authors = authors.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
        }
        if isbn != old.isbn {
            guard isbn.isEmpty || ISBN(isbn) != nil else {
                note = "“\(isbn)” is not a valid ISBN; nothing was changed."
                return
            }
            correction.isbn = isbn.isEmpty ? .clear : .set(isbn)
        }
        try await client.review.correct(shown.item, correction)
        let book = try await client.library.book(shown.book.id)
        note = book.reviewStatus == .userEdited ? "Corrected: \(book.title)" : "No change, verified: \(book.title)"
    }

    private mutating func search(_ shown: Shown) async throws {
        guard let words = ask("Search for", shown.title) else { return }
        var results = try await client.records(for: words)
        results.items = Array(results.items.prefix(9))
        show(
            results.unavailable.map { TerminalText.safe($0.message) } + RecordLines.lines(results) + [
                "", "[1–9] choose  [any other key] back",
            ])
        guard let number = TerminalKey.read()?.wholeNumberValue, results.items.indices.contains(number - 1) else {
            return
        }
        let record = results.items[number - 1]
        let preview = try await client.review.previewMatch(shown.item.id, with: record)
        show(RecordLines.lines(preview, of: record) + ["", "[y] change it  [any other key] back"])
        if TerminalKey.read() == "y" { try await take(record, for: shown) }
    }

    /// Matches the book as it was shown.
    private mutating func take(_ record: SearchRecord, for shown: Shown) async throws {
        try await client.review.match(shown.item.id, with: record, ifMatch: shown.item.etag)
        note = "Matched: \(try await client.library.book(shown.book.id).title)"
    }

    /// Reads a line of text; an empty answer keeps the current value, a single dash clears it; nil at the end of the
    /// input.
    private func ask(_ name: String, _ current: String) -> String? {
        StandardStream.output.write("\(name)\(current.isEmpty ? "" : " (\(TerminalText.safe(current)))"): ")
        guard let answer = readLine() else { return nil }
        return answer.isEmpty ? current : answer == "-" ? "" : answer
    }

    private func lines(_ shown: Shown, _ counts: ReviewQueueCounts) async -> [String] {
        let item = shown.item
        var lines: [String] = []
        func add(_ text: String, _ style: TextStyle = .plain) {
            let pieces = TerminalText.wrapped(TerminalText.safe(text), to: StandardStream.output.columns)
            lines += pieces.map { style.applied(to: $0, colors: StandardStream.output.showsColors) }
        }
        if let note {
            add(note, .dim)
            lines.append("")
        }
        // Wraps between the counts; non-breaking spaces keep the distance between them.
        add(ReviewWords.counts(counts).replacing("   ", with: "\u{A0}\u{A0} "))  // allowed: words of the program
        lines.append("")
        lines += await picture(of: shown)
        add(shown.title, .bold)
        if let subtitle = shown.book.subtitle { add(subtitle) }
        add(item.author ?? "author not read")
        add(ReviewWords.sureness(item), item.tier?.style ?? .plain)
        lines.append("")
        if let spine = ReviewWords.spine(item) { add("On the spine we read: " + spine) }
        if !item.matches.isEmpty {
            lines.append("")
            add("Could it be one of these?")
        }
        for (index, match) in item.matches.enumerated() {
            add(
                "\u{A0}\u{A0}[\(index + 1)]\u{A0}"
                    + [match.title, match.author].compactMap { $0 }.joined(separator: " – "))
        }
        for question in item.duplicates {
            lines.append("")
            add("It may be in the library already: " + question.existing.title)
        }
        return lines + [""] + TerminalText.wrapped(Self.keys, to: StandardStream.output.columns)
    }

    /// The spine drawn with half blocks, horizontally, on terminals with 24-bit colour.
    private func picture(of shown: Shown) async -> [String] {
        let depth = ProcessInfo.processInfo.environment["COLORTERM"] ?? ""
        guard StandardStream.output.showsColors, ["truecolor", "24bit"].contains(depth), shown.item.cropUrl != nil
        else { return [] }
        do {
            let columns = min(100, (StandardStream.output.columns ?? 80) - 2)
            let jpeg = try await client.review.crop(
                ofDetection: shown.item.id, turn: SpineTurn.reading.rawValue, longSide: max(32, columns))
            return try await BlockingExecutor.interactive.run {
                HalfBlocks.lines(try PhotoDecoder.decode([UInt8](jpeg)).image, columns: columns, rows: 14)
            } + [""]
        } catch {
            return []  // the photo is gone; the text below is enough
        }
    }

    private func show(_ lines: [String]) {
        StandardStream.output.write("\u{1B}[2J\u{1B}[H" + lines.map { $0 + "\n" }.joined())
    }
}
