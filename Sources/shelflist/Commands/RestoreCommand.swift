import ArgumentParser
import Foundation
import Library
import Storage
import Terminal

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the library with a backup.",
        discussion: """
            The backup is verified first; damaged backups and those of a newer Shelflist are rejected. The old library is \
            kept until the new one is in place. Stop 'shelflist serve' first.
            """)

    @Argument(help: "The backup.", completion: .file()) var file: String
    @Flag(help: "Replace a library that contains books.") var replace = false
    @Option(
        help: ArgumentHelp("File with the passphrase of an encrypted backup.", valueName: "file"), completion: .file())
    var passphraseFile: String?
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await reportingErrors {
            guard FileManager.default.isReadableFile(atPath: file) else {
                throw StorageError.file(file, reason: "There is no such file, or it cannot be read. Check the path.")
            }
            if !replace, FileManager.default.fileExists(atPath: options.folder.database.path) {
                let books = try await LibraryStore(folder: options.folder).entries(EntryQuery(limit: 1)).total
                if books > 0 {
                    throw LibraryError.notPossible(
                        "The library has \(books) books, which the backup would replace. Add --replace to do so."
                    )
                }
            }
            let manifest = try LibraryStore.restore(
                URL(filePath: file), to: options.folder, passphrase: try passphraseFile.map(PassphraseFile.read))
            options.show(manifest) {
                ["Restored \(manifest.entries) books as of \(manifest.madeAt.formatted(.iso8601))."]
            }
        }
    }
}
