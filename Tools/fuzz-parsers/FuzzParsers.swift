import Bibliography
import Catalog
import ClientInput
import Foundation
import Fuzzing
import Library
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Providers
import ShelflistAPI

/// Feeds damaged input to the parsers of what other people send: forms, frames, lists, catalogs, answers, backups and
/// messages of workers.
@main
struct FuzzParsers {
    static func main() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shelflist-fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // The folder only takes space.
            do { try FileManager.default.removeItem(at: folder) } catch {}
        }
        let files = ParsedFiles(folder: folder)
        Fuzzer.run(
            [
                FuzzTarget("multipart", originals: ParserOriginals.forms, parse: parseForm),
                FuzzTarget("frames", originals: ParserOriginals.frames, parse: receiveFrames),
                FuzzTarget("list", originals: ParserOriginals.lists) { bytes, _ in
                    outcome { _ = try BookListPreview(bytes) }
                },
                FuzzTarget("backup", originals: ParserOriginals.backups, repair: ParserOriginals.repairedBackup) {
                    bytes, _ in
                    outcome { try files.readBackup(bytes) }
                },
                FuzzTarget("marc", originals: ParserOriginals.marc) { bytes, run in
                    outcome { try files.importCatalog(bytes, run) }
                },
                FuzzTarget("dump", originals: ParserOriginals.dumps) { bytes, run in
                    outcome { try files.importCatalog(bytes, run) }
                },
                FuzzTarget("answers", originals: ParserOriginals.answers) { bytes, run in
                    let provider = ProviderName.allCases[run % 3]
                    let isbn = run / 3 % 2 == 0 ? nil : ISBN(ParserOriginals.isbn)
                    return ProviderAnswer.records(in: bytes, from: provider, isbn: isbn) == nil ? .refused : .read
                },
                FuzzTarget("spines", originals: ParserOriginals.spines, parse: readSpines),
            ] + WorkerMessages.targets)
    }

    /// Reads what a model wrote, with the places of its spines.
    private static func readSpines(_ bytes: [UInt8], run: Int) -> FuzzOutcome {
        guard let readings = ModelReading.readings(in: String(decoding: bytes, as: UTF8.self)) else { return .refused }
        let order = ModelBox.Order.allCases[run % 2]
        let boxes = ModelBox.fractions(readings.map(\.box), order: order, width: 3072, height: 2048)
        for box in boxes.compactMap(\.self) {
            precondition(box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0, "a box outside of the picture")
            precondition(
                box.x + box.width <= 1.000001 && box.y + box.height <= 1.000001, "a box outside of the picture")
        }
        for reading in readings {
            precondition(
                (0...1).contains(reading.certainty) && (1...400).contains(reading.title.utf8.count), "a wrong reading")
        }
        return .read
    }

    private static func outcome(_ work: () throws -> Void) -> FuzzOutcome {
        do {
            try work()
            return .read
        } catch {
            return .refused
        }
    }

    /// Frames are decoded as the server's pipeline does; they are read if one of them is a complete message or a ping.
    private static func receiveFrames(_ bytes: [UInt8], run: Int) -> FuzzOutcome {
        let channel = EmbeddedChannel(
            handler: ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: SocketLimits.frameBytes)))
        var reader = SocketReader()
        // An open channel is not freed. Closing it reports the error of the last frame again.
        defer { do { _ = try channel.finish() } catch {} }
        return outcome {
            var isRead = false
            let size = [1, 7, 64, 4096][run % 4]
            for start in stride(from: 0, to: bytes.count, by: size) {
                try channel.writeInbound(ByteBuffer(bytes: bytes[start..<min(bytes.count, start + size)]))
                while let frame = try channel.readInbound(as: WebSocketFrame.self) {
                    switch reader.receive(frame) {
                    case .nothing: break
                    case .message, .pong: isRead = true
                    case .close: throw CocoaError(.coderInvalidValue)
                    }
                }
            }
            guard isRead else { throw CocoaError(.coderInvalidValue) }
        }
    }

    /// The body arrives in pieces whose size depends on the run.
    private static func parseForm(_ bytes: [UInt8], run: Int) -> FuzzOutcome {
        outcome {
            var parser = try MultipartParser(contentType: "multipart/form-data; boundary=fuzz")
            let size = [1, 7, 64, 4096][run % 4]
            for start in stride(from: 0, to: bytes.count, by: size) {
                _ = try parser.receive(bytes[start..<min(bytes.count, start + size)])
            }
            try parser.finish()
        }
    }
}

/// Parsers that read files.
final class ParsedFiles {
    private let folder: URL
    private var catalog: Catalog?

    init(folder: URL) { self.folder = folder }

    func readBackup(_ bytes: [UInt8]) throws {
        let file = folder.appending(path: "backup.tar")
        try Data(bytes).write(to: file)
        let passphrase = bytes.starts(with: "age-encryption.org".utf8) ? "fuzz" : nil
        try TarReader(file, passphrase: passphrase).forEach { _, _, read in
            while case let piece = try read(), !piece.isEmpty {}
        }
    }

    /// Reads a file of books, or imports it into a catalog in every hundredth run, which takes a hundred times as long.
    ///
    /// The catalog is replaced after 200 imports.
    func importCatalog(_ bytes: [UInt8], _ run: Int) throws {
        let place = folder.appending(path: "catalog")
        if run % 20_000 == 0 || catalog == nil {
            catalog = nil
            if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            catalog = try Catalog(path: place.appending(path: "catalog.sqlite").path)
        }
        let file = place.appending(path: "fuzzed")
        try Data(bytes).write(to: file)
        if run % 100 == 0 {
            guard let report = try catalog?.importFiles([file.path]), !report.hasFailures else {
                throw CocoaError(.fileReadCorruptFile)
            }
        } else if try ImportParser.countBooks(inFileAt: file.path) == 0 {
            throw CocoaError(.fileReadCorruptFile)
        }
    }
}
