import ArgumentParser
import Bounds
import Catalog
import Foundation
import Synchronization
import Terminal

struct CatalogImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import lists of books into the catalog.",
        discussion: """
            Open Library dumps (authors, works, editions; .txt or .txt.gz, in any order), MARC 21, MARCXML, and CSV with \
            a header line, also as exported by Goodreads, LibraryThing and StoryGraph. The format is detected from the \
            content.

            Files that were imported before are not read again. Ctrl-C stops and keeps what was read; the same command \
            resumes the import.
            """)

    @Argument(help: "The files to import.", completion: .file())
    var files: [String]

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let path = try options.file(creating: true)
        let files = files
        let report = try await runCatalogWork {
            let isStopped = StopFlag()
            let interruption = Interruption { _ in isStopped.raise() }
            defer { withExtendedLifetime(interruption) {} }
            defer { ProgressBar.clear() }
            // Redrawn in place on a terminal, a line now and then in a log.
            let pause: Duration = StandardStream.errors.isInteractive ? .milliseconds(100) : .seconds(10)
            var last = ContinuousClock.now
            return try Catalog(path: path).importFiles(files, shouldStop: { isStopped.isRaised }) { progress in
                guard last.duration(to: .now) > pause else { return }
                last = .now
                Self.draw(progress)
            }
        }
        show(report)
        if report.wasStopped { throw ExitCode(130) }
        if report.hasFailures { throw ExitCode.failure }
    }

    private static func draw(_ progress: ImportProgress) {
        let name = progress.path.map { URL(filePath: $0).lastPathComponent } ?? ""
        let label = progress.stage == .reading ? "Reading \(TerminalText.safe(name))" : "Indexing"
        let note = "\(Int(saturating: progress.fraction * 100)) %, \(progress.rows) rows"
        ProgressBar(fraction: progress.fraction, label: label, note: note).draw()
    }

    private func show(_ report: ImportReport) {
        for file in report.files {
            for message in file.remarks + file.messages { StandardStream.warn(message) }
            if file.skipped > file.messages.count {
                let more = file.skipped - file.messages.count
                StandardStream.warn("\(file.path): \(more) more left out")
            }
            if let failure = file.failure { StandardStream.warn(failure) }
        }
        options.show(report) { table(report) }
        if report.wasStopped { StandardStream.warn("Stopped. Run the same command to resume.") }
    }

    private func table(_ report: ImportReport) -> [String] {
        let rows = report.files.map { file in
            let outcome =
                file.failure != nil
                ? TerminalTable.Cell("failed", .red)
                : file.wasKnown
                    ? .init("known", .dim) : file.isComplete ? .init("read", .green) : .init("in part", .yellow)
            return [
                TerminalTable.Cell(file.path), .init(file.format ?? "–"), outcome, .init(String(file.rows)),
                .init(String(file.skipped)),
            ]
        }
        let table = TerminalTable(
            columns: [
                .init("File", atLeast: 12), .init("Format", dropped: 1), .init(""), .init("Rows", isRightAligned: true),
                .init("Left out", isRightAligned: true),
            ], rows: rows)
        let rate = Double(report.newEditions) / max(report.seconds, 0.001)
        return table.onTerminal() + [
            "",
            "\(report.newEditions) new edition\(report.newEditions == 1 ? "" : "s") in \(String(format: "%.1f", report.seconds)) s"
                + (report.newEditions > 1000 ? String(format: " (%.0f a second)", rate) : ""),
        ]
    }
}

/// Set once by a signal.
private final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isRaised: Bool { flag.load(ordering: .relaxed) }
    func raise() { flag.store(true, ordering: .relaxed) }
}
