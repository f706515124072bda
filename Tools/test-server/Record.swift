import ArgumentParser
import Foundation
import Reading
import ReadingFixtures

/// Records what the reading models find in photos.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read photos, and write what was read as records.",
        discussion: "Writes FOLDER/NAME.json for each photo as it is, and as the web app uploads it if that is smaller."
    )

    @Option(help: "The folder of the records.") var into: String
    @Argument(help: "JPEG files.") var photos: [String]

    func run() async throws {
        let scanner = try RecordedPhoto.scanner(.locate())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for path in photos {
            let file = URL(filePath: path)
            let bytes = [UInt8](try Data(contentsOf: file))
            for (name, record) in try await RecordedPhoto.records(
                of: bytes, named: file.deletingPathExtension().lastPathComponent, with: scanner)
            {
                try encoder.encode(record).write(to: URL(filePath: into).appending(path: "\(name).json"))
            }
        }
    }
}
