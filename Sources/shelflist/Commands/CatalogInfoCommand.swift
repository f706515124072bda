import ArgumentParser
import Catalog
import Foundation

struct CatalogInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what the catalog contains, from which files, since when.")

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let path = try options.file()
        let info = try await runCatalogWork { try Catalog(existingAt: path).info() }
        switch options.format {
        case .json: StandardStream.output.write(JSONText.document(Document(info)))
        case .table: StandardStream.output.write(text(info))
        }
    }

    /// `CatalogInfo` with dates as text (ISO 8601).
    private struct Document: Encodable {
        struct File: Encodable {
            var path: String
            var format: String
            var size: Int
            var isComplete: Bool
            var rows: Int
            var skipped: Int
            var importedAt: String
        }

        var path: String
        var version: Int
        var works: Int
        var editions: Int
        var authors: Int
        var words: Int
        var size: Int
        var isIndexed: Bool
        var files: [File]

        init(_ info: CatalogInfo) {
            (path, version, works, editions) = (info.path, info.version, info.works, info.editions)
            (authors, words, size, isIndexed) = (info.authors, info.words, info.size, info.isIndexed)
            files = info.files.map {
                File(
                    path: $0.path, format: $0.format, size: $0.size, isComplete: $0.isComplete, rows: $0.rows,
                    skipped: $0.skipped, importedAt: $0.importedAt.ISO8601Format())
            }
        }
    }

    private func text(_ info: CatalogInfo) -> String {
        var lines = [
            TerminalText.safe(info.path),
            "\(info.works) works, \(info.editions) editions, \(info.authors) authors, \(info.words) words; "
                + "\(megabytes(info.size)) MB",
        ]
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
        guard !rows.isEmpty else { return lines.joined(separator: "\n") + "\n" }
        let table = TerminalTable(
            columns: [
                .init("File", room: .flexible(atLeast: 12)), .init("Format", dropped: 2),
                .init("Rows", isRightAligned: true), .init("Left out", isRightAligned: true, dropped: 1),
                .init("Imported"), .init("Read"),
            ], rows: rows)
        lines += [""] + table.lines(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
        return lines.joined(separator: "\n") + "\n"
    }

    private func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1e6) }
}
