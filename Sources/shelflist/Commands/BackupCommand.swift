import ArgumentParser
import Foundation
import Library
import Terminal

struct BackupCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write the library, its photos and covers to one file.",
        discussion: """
            The backup is consistent even while Shelflist is running. The file is a tar archive with a manifest of \
            SHA-256 hashes; an older backup with the same name is replaced once the new one is complete.

            The imported catalog is not included, because it can be imported again and is often larger than everything \
            else; --with-catalog includes it. Provider keys, accounts and certificates are never included.

            With --passphrase-file the file is encrypted in the format of age (https://age-encryption.org), so that \
            'age -d' decrypts it, too. Without the passphrase it cannot be restored.
            """)

    @Argument(help: "The file to write.", completion: .file()) var file: String
    @Flag(help: "Include the imported catalog.") var withCatalog = false
    @Option(
        help: ArgumentHelp("File with a passphrase that encrypts the backup.", valueName: "file"), completion: .file())
    var passphraseFile: String?
    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "Download a backup in the web app"

    func run(_ store: LibraryStore) async throws {
        let passphrase = try passphraseFile.map(PassphraseFile.read)
        let manifest = try await store.backUp(
            to: URL(filePath: file), withCatalog: withCatalog, passphrase: passphrase)
        options.show(manifest) {
            let size = manifest.files.reduce(0) { $0 + $1.size }
            return [
                "\(manifest.entries) books, \(manifest.files.count) files, "
                    + String(format: "%.1f MB", Double(size) / 1e6) + " in \(TerminalText.safe(file))."
            ]
        }
    }
}
