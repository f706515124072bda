import ArgumentParser
import Catalog
import Downloads
import Foundation
import Terminal

struct CatalogInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what the catalog contains, from which files, since when.")

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let path = try options.file()
        let document = try await runCatalogWork {
            let catalog = try Catalog(existingAt: path)
            return Document(info: try catalog.info(), download: try DownloadedDumps(of: catalog))
        }
        options.show(document) { lines(document.info, document.download) }
    }

    private struct Document: Encodable, Sendable {
        var info: CatalogInfo
        var download: DownloadedDumps?

        private enum Key: CodingKey { case download }

        func encode(to encoder: any Encoder) throws {
            try info.encode(to: encoder)
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encodeIfPresent(download, forKey: .download)
        }
    }

    private func lines(_ info: CatalogInfo, _ download: DownloadedDumps?) -> [String] {
        var lines = [
            TerminalText.safe(info.path),
            "\(info.works) works, \(info.editions) editions, \(info.authors) authors, \(info.words) words; "
                + String(format: "%.1f MB", Double(info.size) / 1e6),
        ]
        if let download {
            let kept = [
                download.filter.languages.isEmpty
                    ? nil : "languages \(download.filter.languages.joined(separator: ", ")) or unknown",
                download.filter.needsISBN ? "with ISBN" : nil,
            ].compactMap { $0 }
            lines.append(
                TerminalText.safe(
                    "Downloaded from Open Library" + (download.date.map { ", dumps of \($0)" } ?? "")
                        + (kept.isEmpty ? "" : "; \(kept.joined(separator: ", "))")))
        }
        if !info.isIndexed, !info.files.isEmpty {
            lines.append("An import was stopped. Import the same files again to make everything searchable.")
        }
        let rows = info.files.map { file in
            [
                TerminalTable.Cell(file.path), .init(file.format), .init(String(file.rows)),
                .init(String(file.skipped)),
                .init(file.importedAt.ISO8601Format()), file.isComplete ? .init("whole") : .init("in part", .yellow),
            ]
        }
        guard !rows.isEmpty else { return lines }
        let table = TerminalTable(
            columns: [
                .init("File", atLeast: 12), .init("Format", dropped: 2), .init("Rows", isRightAligned: true),
                .init("Left out", isRightAligned: true, dropped: 1), .init("Imported"), .init("Read"),
            ], rows: rows)
        return lines + [""] + table.onTerminal()
    }
}
