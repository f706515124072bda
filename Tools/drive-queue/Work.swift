import ArgumentParser
import Dispatch
import Foundation
import Imaging
import Reading
import ShelflistAPI
import SpineReading
import WorkQueue

/// A worker that waits instead of reading.
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Read photos by waiting.")

    @OptionGroup var queue: QueueOptions
    @Option(help: "Milliseconds for each photo.") var milliseconds = 100
    @Option(help: "Photos at once.") var jobs = 1
    @Option(help: "Shown by work-queue status.") var name = "waiting"
    @Flag(help: "Return text, for 'shelflist serve' and 'shelflist scan'.") var texts = false
    @Option(help: "With --texts: what to lie about in each result: \(Lie.allValueStrings.joined(separator: ", ")).")
    var lie: Lie?

    @Flag(help: "Have each photo until a line arrives on stdin, instead of for some milliseconds.") var held = false

    func run() async throws {
        let pause = Duration.milliseconds(milliseconds)
        let reading: QueueWork.Reading
        if texts {
            let lie = lie
            let worker = ReadingWorker(WaitingReader(pause: pause))
            reading = { photo, report in
                for message in try lie?.reports() ?? [] { report(message) }
                if let result = lie?.result { return result }
                let outcome = try await worker.read(photo, report: report)
                return try lie?.changing(outcome) ?? outcome
            }
        } else {
            let held = held
            reading = { photo, report in
                let claimed = now()
                report([0])
                if held { await nextLine() } else { try await Task.sleep(for: pause) }
                let number = photo.bytes.prefix(8).reduce(0) { $0 << 8 | Int($1) }
                let result = DrivenResult(number: number, claimed: claimed, returned: now())
                return .done([UInt8](try JSONEncoder().encode(result)))
            }
        }
        let work = QueueWork(
            try PostgresAddress(queue.url),
            worker: QueueWorkerName(name: name, version: "test", models: queue.models), jobs: jobs,
            timing: queue.timing, onEvent: log, reading: reading)
        let running = Task { await work.run() }
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { running.cancel() }
        source.resume()
        await running.value
        withExtendedLifetime(source) {}
    }
}

/// Returns when a line has arrived on stdin, or its end.
private func nextLine() async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            _ = readLine()
            continuation.resume()
        }
    }
}

/// Returns the same text for every photo, with the photo's decoded size.
private struct WaitingReader: TextReading {
    let pause: Duration

    func readText(
        _ bytes: [UInt8], _ request: TextRequest, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> PhotoText {
        report(.stage(.decode))
        let photo = try PhotoDecoder.decode(bytes, limits: request.limits)
        report(.stage(.read))
        try await Task.sleep(for: pause)
        let box = PixelRect(x: 10, y: 10, width: 200, height: 20)
        return PhotoText(
            originalSize: photo.originalSize, size: photo.image.size,
            shelf: ReadShelf(lines: [TextLine(text: "Waiting for Godot", score: 0.99, quad: Quad(box))]),
            quality: PhotoQuality(measuring: ImagePyramid(photo.image).fitted(longSide: PhotoQuality.measuredLongSide)),
            filters: nil,
            decodeSeconds: 0, seconds: pause / .seconds(1))
    }
}
