import ArgumentParser
import Foundation
import Imaging

/// Measures what decoding in a process of its own costs; Benchmarks/run.sh isolation records the figures.
@main
struct MeasureDecoding: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure-decoding",
        abstract: "Decode photos here and in a process of its own, in turns; print seconds as JSON.",
        subcommands: [Measure.self, DecodePhotos.self], defaultSubcommand: Measure.self)
}

/// The process of its own, started as the server starts `shelflist decode-photos`.
struct DecodePhotos: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "decode-photos", shouldDisplay: false)

    @Option var memory: Int

    func run() { DecodingWorker.run(memory: memory) }
}

struct Measure: ParsableCommand {
    @Option(help: "Repetitions for each photo.") var rounds = 9
    @Argument(help: "Photos.") var photos: [String]

    private struct Times: Encodable {
        var here: [Double] = []
        var apart: [Double] = []
    }

    func run() throws {
        let processes = DecoderProcesses()
        try processes.prepare()
        defer { processes.close() }
        let times = try photos.map { photo in
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: photo)))
            var times = Times()
            for _ in 0..<rounds {
                times.here.append(try seconds { _ = try PhotoDecoder.decode(bytes) })
                times.apart.append(
                    try seconds {
                        _ = try processes.decode(bytes, limits: PhotoLimits(), workingPixels: 26_000_000)
                    })
            }
            return times
        }
        print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
    }

    private func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
