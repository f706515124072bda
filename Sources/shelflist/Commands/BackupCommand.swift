import ArgumentParser
import Foundation
import Library

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write the library, its photos and covers into one file.",
        discussion: """
            It is consistent although Shelflist goes on running. The file is a tar archive with a manifest of SHA-256 \
            hashes; an older backup of that name is replaced once the new one is whole.

            The imported catalog is left out, because it can be imported again and is often larger than all the rest; \
            --with-catalog takes it in. Keys of providers are never in a backup.
            """)

    @Argument(help: "The file to write.", completion: .file()) var file: String
    @Flag(help: "Take the imported catalog in as well.") var withCatalog = false
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        try await options.withLibrary { store in
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
}
