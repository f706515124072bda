import Dispatch
import Foundation
import Fuzzing
import Imaging
import Reading
import ShelflistAPI
import SpineReading
import Synchronization
import Terminal
import WorkQueue

/// What workers of the queue send: results, which go on to the identification of books and to every format in which they
/// are printed, and reports.
enum WorkerMessages {
    static var targets: [FuzzTarget] {
        [
            FuzzTarget("results", originals: results, repair: { edgeNumber($0, $1, results) }, parse: readResult),
            FuzzTarget("crowded", originals: crowded, differentRuns: 200, parse: readResult),
            FuzzTarget("reports", originals: reports, repair: { edgeNumber($0, $1, reports) }, parse: readReport),
        ]
    }

    private static let identifier = PhotoIdentifier(options: ReadingOptions(threads: 1)) { nil }
    private static let size = PixelSize(width: 400, height: 300)

    private static func readResult(_ bytes: [UInt8], run: Int) -> FuzzOutcome {
        guard let text = try? PhotoText(result: bytes, limits: PhotoLimits()) else { return .refused }
        do {
            let identifier = identifier
            let photo = try awaited { try await identifier.identify(text, name: "shelf.jpg") }
            var writers: [any ScanWriter] = [ScanJSON(), ScanCSV(), ScanTable(width: 80, colors: true)]
            for index in writers.indices {
                let printed = writers[index].text(for: photo) + writers[index].closing()
                precondition(!printed.isEmpty, "nothing was printed")
            }
            _ = try JSONDecoder().decode(ScannedPhoto.self, from: JSONEncoder().encode(photo))
        } catch let error as any ReportedError where error.problemCode == "too_much_text" {
            return .refused
        } catch {
            preconditionFailure("an accepted result could not be identified and printed: \(error)")
        }
        return .read
    }

    private static func readReport(_ bytes: [UInt8], run: Int) -> FuzzOutcome {
        guard let report = try? ReadingProgress(report: bytes) else { return .refused }
        if case .text(let share) = report { precondition((0...1).contains(share), "a wrong share") }
        return .read
    }

    /// Blocks until asynchronous work has ended: cases run one after another.
    private static func awaited<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let ended = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, any Error>?>(nil)
        Task.detached {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    // MARK: Originals

    private static let results: [[UInt8]] = {
        let lines = [
            line("JANE EYRE", x: 30, length: 120), line("Charlotte Brontë", x: 30.5, length: 80),
            line("戦争と平和", x: 60, length: 200), line("", x: 100, length: 1),
        ]
        return [QuarterTurn.none, .quarter].flatMap { turn in [lines, []].map { result($0, turn) } }
    }()

    /// As many lines as a result may have, all the same.
    private static let crowded = [
        result(Array(repeating: line("Emma", x: 30, length: 90), count: MessageBounds.mostLines), .none)
    ]

    private static func line(_ text: String, x: Double, length: Double) -> TextLine {
        TextLine(text: text, score: 0.9, quad: Quad(PixelRect(x: x, y: 20, width: 12, height: length)))
    }

    private static func result(_ lines: [TextLine], _ turn: QuarterTurn) -> [UInt8] {
        bytes(
            of: PhotoText(
                originalSize: PixelSize(width: 4000, height: 3000), size: size,
                shelf: ReadShelf(lines: lines, turn: turn, detectionSeconds: 0.5, recognitionSeconds: 1.25),
                quality: PhotoQuality(measuring: RGBImage(size: PixelSize(width: 16, height: 16))), filters: nil,
                decodeSeconds: 0.25, seconds: 2))
    }

    private static let reports: [[UInt8]] = [
        ReadingProgress.stage(.read), .text(0.5),
        .spines([SpineOutline(UnitRect(x: 0.1, y: 0.2, width: 0.05, height: 0.7))]),
    ].map { bytes(of: $0) }

    private static func bytes(of message: some Encodable) -> [UInt8] {
        guard let data = try? JSONEncoder().encode(message) else { return [] }
        return [UInt8](data)
    }

    /// Numbers at which conversions and ranges end a program.
    private static let edges = [
        "0", "-0.0", "-1", "1e-320", "0.5", "1.5", "399", "800.0001", "-400", "86401", "1e9", "9223372036854775807",
        "9223372036854775808", "-9223372036854775809", "1e20", "-1e20", "1e200", "1e300", "-1e308", "1e309", "null",
        "\"1\"",
    ]

    /// Replaces, in two of three runs, one number of an original by one of `edges`: each by each, in turn.
    private static func edgeNumber(_ damaged: [UInt8], _ run: Int, _ originals: [[UInt8]]) -> [UInt8] {
        guard run % 3 != 0 else { return damaged }
        let text = String(decoding: originals[run % originals.count], as: UTF8.self)
        let numbers = text.matches(of: /[:\[,](-?\d+(?:\.\d+)?)/).map { $0.1.startIndex..<$0.1.endIndex }
        guard !numbers.isEmpty else { return damaged }
        let turn = run / originals.count
        let edge = edges[turn / numbers.count % edges.count]
        return Array(text.replacingCharacters(in: numbers[turn % numbers.count], with: edge).utf8)
    }
}
