import ArgumentParser
import Bibliography
import Foundation
import Imaging
import Library
import Lookup
import Server
import ShelflistAPI

struct ReviewSessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Review the queue on the terminal, one spine at a time.")

    @OptionGroup var options: LocalLibraryOptions

    func run() async throws {
        guard isatty(STDIN_FILENO) == 1, StandardStream.output.isInteractive else {
            StandardStream.warn(
                "This needs a terminal. Without one, use: shelflist review list, verify, correct, reject.")
            throw ExitCode(2)
        }
        try options.checkIsLocal(
            instead: "Review in the web app, or use: shelflist review list, match, correct, verify, reject")
        try await options.data.withLibrary { store in
            let counts = try await store.reviewCounts()
            try await store.record(.reviewQueueViewed(queueCount: counts.books))
            try await withCatalogs(options.folder) { catalogs in
                var session = ReviewSession(store: store, catalogs: catalogs)
                try await session.run()
            }
        }
    }
}

/// Shows one book at a time, waits for a key, and applies the decision.
private struct ReviewSession {
    let store: LibraryStore
    let catalogs: CatalogSession
    /// Books skipped in this session.
    var passed: [RowID<LibraryEntry>] = []
    var note: String?

    private static let keys = [
        "[v] verify", "[e] edit", "[m] match", "[1–3] take that one", "[r] reject", "[n] next",
        "[a] verify all like it",
        "[u] undo", "[q] quit",
    ].map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: "  ")

    mutating func run() async throws {
        while true {
            let queue = try await store.reviewQueue(limit: passed.count + 1)
            guard let item = queue.first(where: { !passed.contains($0.id) }) else {
                let left = try await store.reviewCounts().books
                show(
                    [note, left == 0 ? "Nothing left to review." : "\(left) left for another time."].compactMap { $0 })
                return
            }
            show(try await lines(item))
            guard let key = TerminalKey.read() else { return }
            note = nil
            do {
                guard try await handle(key, item) else { return }
            } catch let error as LibraryError {
                note = error.description
            } catch let error as ImageError {
                note = error.message
            }
        }
    }

    /// - Returns: whether the session continues.
    private mutating func handle(_ key: Character, _ item: ReviewItem) async throws -> Bool {
        switch key {
        case "v", "\n", "\r":
            _ = try await store.verify(item.id, ifRevision: item.revision)
            note = "Verified: \(item.title)"
        case "e": try await edit(item)
        case "m": try await match(item)
        case "1", "2", "3":
            guard let number = key.wholeNumberValue, item.alternatives.indices.contains(number - 1) else { return true }
            let match = Record(item.alternatives[number - 1])
            let work = try await store.applyMatch(item.id, with: match, ifRevision: item.revision)
            note = "Matched: \(work.title)"
        case "r":
            try await store.reject(item.id, ifRevision: item.revision)
            note = "Rejected: \(item.title)"
        case "n", " ": passed.append(item.id)
        case "a": try await approveAll(like: item)
        case "u":
            note = try await store.undo().map { "Undone: \(ReviewWords.action($0.kind))" } ?? "Nothing to undo."
            passed = []
        case "q", "\u{3}", "\u{4}", "\u{1B}": return false
        default: break
        }
        return true
    }

    /// Asks for confirmation, because it verifies books that have not been shown.
    private mutating func approveAll(like item: ReviewItem) async throws {
        guard item.failedEnrichment == nil else {
            note = "Unmatched rows from lists have to be reviewed one by one."
            return
        }
        let (books, name) = (try await store.reviewQueue(.tier(item.tier), limit: -1), item.tier.words)
        let titles = books.map { book in
            "  " + ([book.title] + book.authors.prefix(1)).map(TerminalText.safe).joined(separator: " – ")
        }
        show(
            titles + [
                "", "All \(books.count) of “\(name)” become verified as they are.", "",
                "[y] verify them  [any other key] back",
            ])
        guard TerminalKey.read() == "y" else { return }
        note = "Verified \(try await store.approveAll(tier: item.tier)) of “\(name)”. [u] undoes it."
    }

    private mutating func edit(_ item: ReviewItem) async throws {
        var book = try await store.book(item.id)
        let authors = book.authors.map(\.name).joined(separator: "; ")
        guard let title = ask("Title", book.title), let names = ask("Authors, with semicolons between", authors) else {
            return
        }
        book.title = title
        // Contributors that remain keep their role.
        let known = Dictionary(book.authors.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        book.authors = names.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
        .map { known[$0] ?? AuthorCredit(name: $0) }
        guard let isbn = ask("ISBN", book.isbn?.isbn13 ?? "") else { return }
        if isbn.isEmpty {
            book.isbn = nil
        } else if let number = ISBN(isbn) {
            book.isbn = number
        } else {
            note = "“\(isbn)” is not a valid ISBN; nothing was changed."
            return
        }
        let work = try await store.correct(item.id, to: book, ifRevision: item.revision)
        note = work.reviewStatus == .userEdited ? "Corrected: \(work.title)" : "No change, verified: \(work.title)"
    }

    private mutating func match(_ item: ReviewItem) async throws {
        guard let words = ask("Search for", item.title) else { return }
        var results = await CombinedSearch(try catalogs.sources()).results(for: words, limit: 9)
        results.offers = Array(results.offers.prefix(9))
        show(
            results.failures.map { TerminalText.safe($0.message) } + ReviewMatch.lines(results) + [
                "", "[1–9] choose  [any other key] back",
            ])
        guard let number = TerminalKey.read()?.wholeNumberValue, results.offers.indices.contains(number - 1) else {
            return
        }
        let offer = results.offers[number - 1]
        let preview = try await store.previewMatch(item.id, with: offer.record)
        let changes = preview.changes.map { MatchChanges.Field(field: $0.field, from: $0.before, to: $0.after) }
        show(
            ReviewMatch.lines(changes, stays: preview.stays, cover: offer.record.coverURL)
                + ["", "[y] change it  [any other key] back"])
        guard TerminalKey.read() == "y" else { return }
        let work = try await ReviewMatch.take(offer, preview, store, catalogs)
        note = "Matched: \(work.title)"
    }

    /// Reads a line of text; an empty answer keeps the current value, a single dash clears it; nil at the end of the
    /// input.
    private func ask(_ name: String, _ current: String) -> String? {
        StandardStream.output.write("\(name)\(current.isEmpty ? "" : " (\(TerminalText.safe(current)))"): ")
        guard let answer = readLine() else { return nil }
        return answer.isEmpty ? current : answer == "-" ? "" : answer
    }

    private func lines(_ item: ReviewItem) async throws -> [String] {
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
        add(
            ReviewWords.counts(ReviewQueueCounts(try await store.reviewCounts())).replacing(
                "   ", with: "\u{A0}\u{A0} "))
        lines.append("")
        lines += await picture(of: item)
        add(item.title, .bold)
        if let subtitle = item.subtitle { add(subtitle) }
        add(item.authors.isEmpty ? "author not read" : item.authors.joined(separator: ", "))
        add(ReviewWords.sureness(item), item.tier.style)
        lines.append("")
        if let spine = ReviewWords.spine(item) { add("On the spine we read: " + spine) }
        if let failed = item.failedEnrichment { add(failed.reason) }
        if !item.alternatives.isEmpty {
            lines.append("")
            add("Could it be one of these?")
        }
        for (index, match) in item.alternatives.enumerated() {
            add(
                "\u{A0}\u{A0}[\(index + 1)]\u{A0}"
                    + [match.title, match.author].compactMap { $0 }.joined(separator: " – "))
        }
        for question in item.duplicateQuestions {
            lines.append("")
            add("It may be in the library already: " + question.existingTitle)
        }
        return lines + [""] + TerminalText.wrapped(Self.keys, to: StandardStream.output.columns)
    }

    /// The spine drawn with half blocks, horizontally, on terminals with 24-bit colour.
    private func picture(of item: ReviewItem) async -> [String] {
        let depth = ProcessInfo.processInfo.environment["COLORTERM"] ?? ""
        guard StandardStream.output.showsColors, ["truecolor", "24bit"].contains(depth), let detection = item.detection
        else { return [] }
        do {
            let columns = min(100, (StandardStream.output.columns ?? 80) - 2)
            let crop = try await store.spineCrop(detection.id, turn: .reading, longSide: columns)
            return HalfBlocks.lines(crop, columns: columns, rows: 14) + [""]
        } catch {
            return []  // the photo is gone; the text below is enough
        }
    }

    private func show(_ lines: [String]) {
        StandardStream.output.write("\u{1B}[2J\u{1B}[H" + lines.map { $0 + "\n" }.joined())
    }
}

/// Draws a picture as text: each character shows two pixels, one above the other.
enum HalfBlocks {
    static func lines(_ image: RGBImage, columns: Int, rows: Int) -> [String] {
        let scale = min(1, Double(columns) / Double(image.width), Double(2 * rows) / Double(image.height))
        let size = PixelSize(
            width: max(1, Int(Double(image.width) * scale)), height: max(2, Int(Double(image.height) * scale) / 2 * 2))
        let small = image.resized(to: size)
        return stride(from: 0, to: size.height, by: 2).map { y in
            (0..<size.width).map { x in
                let (top, bottom) = (small[x, y], small[x, y + 1])
                return
                    "\u{1B}[38;2;\(top.red);\(top.green);\(top.blue);48;2;\(bottom.red);\(bottom.green);\(bottom.blue)m▀"
            }.joined() + "\u{1B}[0m"
        }
    }
}

/// Reads single keys without waiting for a line.
enum TerminalKey {
    /// Returns nil at the end of the input; Ctrl-C is U+0003.
    static func read() -> Character? {
        var saved = termios()
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return nil }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved) }
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count == 1 {
                // Keys without a character send an escape sequence; a lone Escape means Escape.
                return byte == 0x1B && skipsRest() ? "\0" : Character(Unicode.Scalar(byte))
            }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Discards the rest of an escape sequence; returns whether there was one.
    private static func skipsRest() -> Bool {
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20) > 0 else { return false }
        tcflush(STDIN_FILENO, TCIFLUSH)
        return true
    }
}
