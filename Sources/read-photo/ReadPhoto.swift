import ArgumentParser
import Bibliography
import Catalog
import Foundation
import Reading
import Synchronization
import Terminal

/// Reads photos with what a checkout has: the models and the list of well-known works.
///
/// `shelflist scan` does the same and more. This program builds in a fraction of the time, because it has no library,
/// no server and no network.
@main
struct ReadPhoto: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-photo",
        abstract: "Read photos of bookshelves.",
        discussion: """
            Prints the books of each photo. Photos that cannot be read are named on stderr; the others are not affected.

            This is the part of shelflist that 'make scan' builds. Nothing is stored but caches, and nothing is sent. To \
            look titles up online, to keep the books or to serve the web app: make build, then .build/release/shelflist.
            """)

    @Argument(
        help: ArgumentHelp("Photos to read: JPEG, PNG, WebP or HEIC.", valueName: "photo"), completion: .file())
    var photos: [String]

    @Option(help: "Output format.")
    var format = ScanFormat.table

    func run() async throws {
        let scanner: PhotoScanner
        do {
            scanner = try Self.scanner()
        } catch {
            StandardStream.errors.write(Failure.line(for: nil, error))
            throw ExitCode.failure
        }
        let files = photos.map(PhotoFile.init(path:))
        let progress = Mutex(RunProgress(names: photos.map(TerminalText.safe)))
        var writer = format.writer
        var read: [ScannedPhoto] = []
        for (index, file) in files.enumerated() {
            progress.withLock { $0.started(index) }
            do {
                let photo = try await scanner.read(try file.read(), name: file.path, preprocessing: nil) { step in
                    guard case .stage(let stage) = step else { return }
                    progress.withLock { $0.reached(stage, index: index) }
                }
                progress.withLock { $0.hide() }
                StandardStream.output.write(writer.text(for: photo))
                read.append(photo)
            } catch {
                progress.withLock { $0.hide() }
                StandardStream.errors.write(Failure.line(for: file.path, error))
            }
            progress.withLock { $0.finished(index, note: nil) }
        }
        StandardStream.output.write(writer.closing())
        let unchecked = UncheckedTitles(read)
        if unchecked.count > 0, format == .table {
            StandardStream.warn(
                "\(unchecked). To check them: make build, then .build/release/shelflist scan --online PHOTO")
        }
        if read.count < files.count { throw ExitCode.failure }
    }

    private static func scanner() throws -> PhotoScanner {
        let installation = try Installation.locate()
        let cache = installation.cache(for: URL(filePath: DataFolder.current))
        let starter = StarterList(list: installation.starterList, folder: cache)
        _ = try starter.catalog()
        return try PhotoScanner(installation: installation, cache: cache) {
            // Titles that are not in the list count as not checked.
            try starter.catalog().snapshot().map {
                CatalogSnapshot(search: $0.search, version: $0.version, checks: false)
            }
        }
    }
}
