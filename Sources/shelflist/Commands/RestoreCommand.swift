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

            With --passphrase-file only encrypted backups are accepted, because anyone who can write to the folder of \
            the backups could put another one there; --not-encrypted accepts one that you made without a passphrase.
            """)

    @Argument(help: "The backup.", completion: .file()) var file: String
    @Flag(help: "Replace a library that contains books.") var replace = false
    @Option(
        help: ArgumentHelp("File with the passphrase of an encrypted backup.", valueName: "file"), completion: .file())
    var passphraseFile: String?
    @Flag(help: "Restore a backup that is not encrypted; a passphrase is not used then.") var notEncrypted = false
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
            let passphrase = try notEncrypted ? nil : passphraseFile.map(PassphraseFile.read)
            let restored = try LibraryStore.restore(URL(filePath: file), to: options.folder, passphrase: passphrase)
            let manifest = restored.manifest
            options.show(Report(restored)) {
                [
                    "Restored \(manifest.entries) books as of \(manifest.madeAt.formatted(.iso8601)). "
                        + "The backup was \(restored.isEncrypted ? "encrypted" : "not encrypted")."
                ]
            }
        }
    }

    /// What `--json` prints: the manifest, and whether the backup was encrypted.
    private struct Report: Encodable {
        let restored: RestoredBackup

        init(_ restored: RestoredBackup) { self.restored = restored }

        private enum CodingKeys: CodingKey { case encrypted }

        func encode(to encoder: any Encoder) throws {
            try restored.manifest.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(restored.isEncrypted, forKey: .encrypted)
        }
    }
}
