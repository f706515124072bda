import ArgumentParser
import Foundation
import WorkQueue

/// A server that offers photos and checks what it gets back.
struct Offer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Offer photos; print a line of JSON for each result and one at the end.",
        discussion: "Photos that the state file names were read before and are not offered again.")

    @OptionGroup var queue: QueueOptions
    @Option(help: "Number of photos.") var photos = 100
    @Option(help: "Bytes of a photo in thousands.") var kilobytes = 1.0
    @Option(help: "Photos with the workers at once.") var atOnce = 32
    @Option(help: "Identifier of the server, the same after a restart.") var id = UUID().uuidString
    @Option(help: "File that keeps the numbers of the photos that were read.") var state: String?
    @Option(help: "Megabytes that may wait in the database.") var megabytesWaiting = 1000
    @Option(help: "Photos that may wait in the database.") var photosWaiting = 1000
    @Option(help: "Cancel photos after this many milliseconds, and offer them again.") var cancelAfter: Int?

    private struct Line: Encodable {
        var number: Int
        /// Milliseconds from the offer to the worker, and from the worker to the server.
        var there: Double
        var back: Double
    }

    private struct Summary: Encodable {
        var photos: Int
        var seconds: Double
        var photosPerSecond: Double
    }

    func run() async throws {
        guard let id = UUID(uuidString: id) else { throw ValidationError("--id is a UUID.") }
        var limits = queue.limits
        limits.bytesWaiting = megabytesWaiting * 1_000_000
        limits.photosWaiting = photosWaiting
        let offers = QueueOffers(
            try PostgresAddress(queue.url),
            owner: QueueOwner(id: id, name: "driven", models: queue.models, kept: .seconds(60)), limits: limits,
            timing: queue.timing, onEvent: log)
        let exchange = Task { await offers.run() }
        let results = try Results(file: state)
        let start = now()
        let left = (0..<photos).filter { !results.known.contains($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, number) in left.enumerated() {
                if place >= atOnce { try await group.next() }
                group.addTask { try await read(number, offers, results) }
            }
            try await group.waitForAll()
        }
        let seconds = now() - start
        try await results.write(
            Summary(photos: left.count, seconds: seconds, photosPerSecond: Double(left.count) / seconds))
        exchange.cancel()
        await exchange.value
    }

    private func read(_ number: Int, _ offers: QueueOffers, _ results: Results) async throws {
        var bytes = [UInt8](repeating: UInt8(number & 255), count: max(8, Int(kilobytes * 1000)))
        for place in 0..<8 { bytes[place] = UInt8(number >> (56 - 8 * place) & 255) }
        let photo = OfferedPhoto(key: "photo-\(number)", bytes: bytes, request: [0])
        if let cancelAfter {
            let reading = Task { try await offers.read(photo) { _ in } }
            try await Task.sleep(for: .milliseconds(cancelAfter))
            reading.cancel()
            _ = await reading.result
        }
        let offered = now()
        guard case .done(let result) = try await offers.read(photo, report: { _ in }) else {
            throw ValidationError("Photo \(number) failed.")
        }
        let read = try JSONDecoder().decode(DrivenResult.self, from: Data(result))
        guard read.number == number else { throw ValidationError("Photo \(number) has another photo's result.") }
        try await results.add(
            number,
            Line(number: number, there: (read.claimed - offered) * 1000, back: (now() - read.returned) * 1000))
    }
}

/// The results on stdout, and the numbers of the photos in a file.
private actor Results {
    nonisolated let known: Set<Int>
    private let file: FileHandle?

    init(file path: String?) throws {
        guard let path else {
            (known, file) = ([], nil)
            return
        }
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
        known = Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { Int($0) })
        file = try FileHandle(forUpdating: URL(filePath: path))
        try file?.seekToEnd()
    }

    func add(_ number: Int, _ line: some Encodable & Sendable) throws {
        try file?.write(contentsOf: Data("\(number)\n".utf8))
        try write(line)
    }

    func write(_ line: some Encodable & Sendable) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(line) + Data("\n".utf8))
    }
}
