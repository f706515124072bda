import ArgumentParser
import Foundation
import Library

struct BackupCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write the library, its photos and covers to one file.",
        discussion: """
            The backup is consistent even while Shelflist is running. The file is a tar archive with a manifest of \
            SHA-256 hashes; an older backup with the same name is replaced once the new one is complete.

            The imported catalog is not included, because it can be imported again and is often larger than everything \
            else; --with-catalog includes it. Provider keys are never included.
            """)

    @Argument(help: "The file to write.", completion: .file()) var file: String
    @Flag(help: "Include the imported catalog.") var withCatalog = false
    @OptionGroup var options: LibraryOptions

    func run(_ store: LibraryStore) async throws {
        let manifest = try await store.backUp(to: URL(filePath: file), withCatalog: withCatalog)
        options.show(manifest) {
            let size = manifest.files.reduce(0) { $0 + $1.size }
            return [
                "\(manifest.entries) books, \(manifest.files.count) files, "
                    + String(format: "%.1f MB", Double(size) / 1e6) + " in \(TerminalText.safe(file))."
            ]
        }
    }
}
