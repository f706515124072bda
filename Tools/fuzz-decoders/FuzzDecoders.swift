import Foundation
import Imaging

/// Feeds damaged files to every parser in Imaging; Scripts/fuzz.sh runs it under AddressSanitizer.
///
///     fuzz-decoders [--runs N] [--seed N] [--log FILE]    runs N damaged files per decoder
///     fuzz-decoders --case DECODER:SEED:RUN               repeats one case
///
/// Each case is logged before it runs, so that a crash can be repeated. Errors are expected; crashes, and pictures
/// that take too long to decode, are failures.
@main
struct FuzzDecoders {
    static func main() throws {
        var options = Options(CommandLine.arguments.dropFirst())
        if let only = options.onlyCase {
            let target = try Target(only.decoder)
            print("\(only): \(target.run(only)) after \(target.input(of: only).count) bytes")
            return
        }
        var slow: [FuzzCase] = []
        for decoder in Decoder.allCases {
            let target = try Target(decoder)
            var counts: [Outcome: Int] = [:]
            let start = ContinuousClock.now
            for run in 0..<options.runs {
                let fuzzCase = FuzzCase(decoder: decoder, seed: options.seed, run: run)
                options.note(fuzzCase)
                let before = ContinuousClock.now
                counts[target.run(fuzzCase), default: 0] += 1
                if ContinuousClock.now - before > .seconds(10) { slow.append(fuzzCase) }
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print(
                "\(decoder.rawValue): \(options.runs) runs, \(counts[.read, default: 0]) read, "
                    + "\(counts[.refused, default: 0]) refused, \(Int(seconds.rounded())) s")
            // Flushed now, so that the output is visible even if the next case crashes.
            fflush(nil)
        }
        guard slow.isEmpty else {
            print("Too slow: \(slow.map(\.description).joined(separator: ", "))")
            exit(1)
        }
        print("Fuzzing found nothing: \(Decoder.allCases.count * options.runs) damaged files, seed \(options.seed).")
    }
}

enum Decoder: String, CaseIterable {
    case jpeg, png, webp, heic, exif
}

enum Outcome {
    /// A decoded picture, or for EXIF an orientation other than upright.
    case read
    case refused
}

/// One damaged file, reproducible from its three parts.
struct FuzzCase: CustomStringConvertible {
    var decoder: Decoder
    var seed: UInt64
    var run: Int

    var description: String { "\(decoder.rawValue):\(seed):\(run)" }

    init(decoder: Decoder, seed: UInt64, run: Int) {
        (self.decoder, self.seed, self.run) = (decoder, seed, run)
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 3, let decoder = Decoder(rawValue: parts[0]), let seed = UInt64(parts[1]),
            let run = Int(parts[2])
        else { return nil }
        self.init(decoder: decoder, seed: seed, run: run)
    }
}

/// A decoder with the valid files whose damaged copies it is given.
struct Target {
    let decoder: Decoder
    let originals: [[UInt8]]

    init(_ decoder: Decoder) throws {
        self.decoder = decoder
        originals = try Originals.files(for: decoder)
    }

    func input(of fuzzCase: FuzzCase) -> [UInt8] {
        var mutator = Mutator(seed: fuzzCase.seed &+ UInt64(fuzzCase.run) &* 0xD134_2543_DE82_EF95)
        let bytes = mutator.damaged(originals)
        return decoder == .png && fuzzCase.run % 4 != 0 ? PNGFiles.repaired(bytes) : bytes
    }

    func run(_ fuzzCase: FuzzCase) -> Outcome {
        let bytes = input(of: fuzzCase)
        if decoder == .exif { return ExifOrientation(exif: bytes) == .up ? .refused : .read }
        // Small limits keep it fast, because they bound allocation. Every other picture is decoded at a reduced size.
        let workingPixels = fuzzCase.run % 2 == 0 ? 26_000_000 : 200
        do throws(ImageError) {
            _ = try PhotoDecoder.decode(bytes, limits: PhotoLimits(maxPixels: 1_000_000), workingPixels: workingPixels)
            return .read
        } catch {
            return .refused
        }
    }
}

struct Options {
    var runs = 10_000
    var seed: UInt64 = 1
    var onlyCase: FuzzCase?
    private var log: FileHandle?

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let name = rest.popFirst() {
            let value = rest.popFirst() ?? ""
            switch name {
            case "--runs": runs = Self.parse(name, value, "a number", Int.init)
            case "--seed": seed = Self.parse(name, value, "a number") { UInt64($0) }
            case "--case": onlyCase = Self.parse(name, value, "DECODER:SEED:RUN", FuzzCase.init)
            case "--log":
                guard FileManager.default.createFile(atPath: value, contents: nil),
                    let handle = FileHandle(forWritingAtPath: value)
                else { Self.fail("--log: cannot write '\(value)'.") }
                log = handle
            default: Self.fail("Unknown option '\(name)'.")
            }
        }
    }

    /// Overwrites the log with the ID of the case.
    mutating func note(_ fuzzCase: FuzzCase) {
        guard let log else { return }
        do {
            try log.seek(toOffset: 0)
            try log.write(contentsOf: Data((fuzzCase.description + "\n").utf8))
            try log.truncate(atOffset: log.offset())
        } catch {
            Self.fail("--log: \(error)")
        }
    }

    private static func parse<Value>(
        _ name: String, _ text: String, _ wanted: String, _ read: (String) -> Value?
    ) -> Value {
        guard let value = read(text) else { fail("\(name) wants \(wanted), not '\(text)'.") }
        return value
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("fuzz-decoders: \(message)\n".utf8))
        exit(2)
    }
}
