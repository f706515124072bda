import Foundation

/// What became of a damaged file.
package enum FuzzOutcome {
    case read
    case refused
}

/// A parser with the valid files whose damaged copies it is given.
package struct FuzzTarget {
    package let name: String
    let originals: [[UInt8]]
    let repair: ([UInt8], Int) -> [UInt8]
    let parse: ([UInt8], Int) -> FuzzOutcome
    let differentRuns: Int

    /// - Parameters:
    ///   - differentRuns: the number of runs after which the files are the same again.
    ///   - repair: corrects checksums of the damaged file of a run, so that the parser looks further.
    ///   - parse: runs the parser on the file of a run.
    package init(
        _ name: String, originals: [[UInt8]], differentRuns: Int = .max,
        repair: @escaping ([UInt8], Int) -> [UInt8] = { bytes, _ in bytes },
        parse: @escaping ([UInt8], Int) -> FuzzOutcome
    ) {
        (self.name, self.originals, self.repair, self.parse) = (name, originals, repair, parse)
        self.differentRuns = differentRuns
    }

    func input(of fuzzCase: FuzzCase) -> [UInt8] {
        var mutator = Mutator(seed: fuzzCase.seed &+ UInt64(fuzzCase.run) &* 0xD134_2543_DE82_EF95)
        return repair(mutator.damaged(originals), fuzzCase.run)
    }
}

/// One damaged file, reproducible from its three parts.
struct FuzzCase: CustomStringConvertible {
    var target: String
    var seed: UInt64
    var run: Int

    var description: String { "\(target):\(seed):\(run)" }

    init(target: String, seed: UInt64, run: Int) { (self.target, self.seed, self.run) = (target, seed, run) }

    init?(_ text: String) {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 3, let seed = UInt64(parts[1]), let run = Int(parts[2]) else { return nil }
        self.init(target: parts[0], seed: seed, run: run)
    }
}

/// Feeds damaged files to parsers; Scripts/fuzz.sh runs it under AddressSanitizer.
///
///     PROGRAM [--runs N] [--seed N] [--only PARSER] [--log FILE]    runs N damaged files per parser
///     PROGRAM --case PARSER:SEED:RUN                                repeats one case
///
/// Each case is logged before it runs, so that a crash can be repeated. Errors are expected; crashes, and files that
/// take too long, are failures.
package enum Fuzzer {
    /// Seconds of the processor that one file may take.
    private static let longest = 10.0

    package static func run(_ targets: [FuzzTarget]) {
        var options = FuzzOptions(CommandLine.arguments.dropFirst())
        func target(_ name: String) -> FuzzTarget {
            guard let target = targets.first(where: { $0.name == name }) else {
                FuzzOptions.fail("'\(name)' is not one of \(targets.map(\.name).joined(separator: ", ")).")
            }
            return target
        }
        if let only = options.onlyCase {
            let target = target(only.target)
            let bytes = target.input(of: only)
            print("\(only): \(target.parse(bytes, only.run)) after \(bytes.count) bytes")
            return
        }
        let chosen = options.onlyParser.map { [target($0)] } ?? targets
        var slow: [FuzzCase] = []
        var files = 0
        for target in chosen {
            let runs = min(options.runs, target.differentRuns)
            var counts: [FuzzOutcome: Int] = [:]
            let start = processorSeconds()
            for run in 0..<runs {
                let fuzzCase = FuzzCase(target: target.name, seed: options.seed, run: run)
                options.note(fuzzCase)
                let before = processorSeconds()
                counts[target.parse(target.input(of: fuzzCase), run), default: 0] += 1
                if processorSeconds() - before > longest { slow.append(fuzzCase) }
            }
            print(
                "\(target.name): \(runs) runs, \(counts[.read, default: 0]) read, "
                    + "\(counts[.refused, default: 0]) refused, \(Int((processorSeconds() - start).rounded())) s")
            // Flushed now, so that the output is visible even if the next case crashes.
            fflush(nil)
            files += runs
        }
        guard slow.isEmpty else {
            print("Too slow: \(slow.map(\.description).joined(separator: ", "))")
            exit(1)
        }
        print("Fuzzing found nothing: \(files) damaged files, seed \(options.seed).")
    }

    /// Returns what this process has used of the processor: other processes do not make a file slow.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

private struct FuzzOptions {
    var runs = 10_000
    var seed: UInt64 = 1
    var onlyCase: FuzzCase?
    var onlyParser: String?
    private var log: FileHandle?

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let name = rest.popFirst() {
            let value = rest.popFirst() ?? ""
            switch name {
            case "--runs": runs = Self.parse(name, value, "a number", Int.init)
            case "--seed": seed = Self.parse(name, value, "a number") { UInt64($0) }
            case "--only": onlyParser = value
            case "--case": onlyCase = Self.parse(name, value, "PARSER:SEED:RUN", FuzzCase.init)
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

    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("fuzz: \(message)\n".utf8))
        exit(2)
    }
}
