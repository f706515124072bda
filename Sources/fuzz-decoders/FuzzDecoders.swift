import Foundation
import Imaging

/// Feeds damaged files to everything in Imaging that parses bytes; Scripts/fuzz.sh runs it under AddressSanitizer.
///
///     fuzz-decoders [--runs N] [--seed N] [--log FILE]    damages N files for each decoder
///     fuzz-decoders --case DECODER:SEED:RUN               one of them again
///
/// Before each run its name is written to the log, so that a crash can be repeated. Errors are what is expected of
/// a decoder; crashes, and pictures that take too long, are not.
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
            // To be seen even when the next one crashes.
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
    /// A picture, or for EXIF an orientation other than upright.
    case read
    case refused
}

/// One damaged file; its three parts say all about it.
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

/// A decoder with the files it is given damaged copies of.
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
        // Small limits keep it fast: what is allocated depends on them. Every other picture is decoded smaller.
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

    /// Leaves the name of the case, and nothing else, in the log.
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
