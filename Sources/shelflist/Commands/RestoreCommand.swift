import ArgumentParser
import Foundation
import Library

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of the library.",
        discussion: """
            The backup is verified first; a damaged one, or one of a newer Shelflist, is refused. The old library stays \
            until the new one is in place. Stop 'shelflist serve' before.
            """)

    @Argument(help: "The backup.", completion: .file()) var file: String
    @Flag(help: "Replace a library that has books in it.") var replace = false
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        try await telling {
            guard FileManager.default.isReadableFile(atPath: file) else {
                throw LibraryError.file(file, reason: "There is no such file, or it cannot be read.")
            }
            if !replace, FileManager.default.fileExists(atPath: options.folder.database.path) {
                let books = try await LibraryStore(folder: options.folder).entries(EntryQuery(limit: 1)).total
                if books > 0 {
                    throw LibraryError.notPossible(
                        "The library has \(books) books, which the backup would replace. Say --replace if that is meant."
                    )
                }
            }
            let manifest = try LibraryStore.restore(URL(filePath: file), to: options.folder)
            options.show(manifest) {
                ["Restored \(manifest.entries) books as of \(manifest.madeAt.formatted(.iso8601))."]
            }
        }
    }
}
