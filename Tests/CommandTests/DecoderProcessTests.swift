import Foundation
import Imaging
import PictureEncoders
import Synchronization
import TestSupport
import Testing

/// Decodes with the built program, and with scripts in its place that fail as a program under attack would.
@Suite("Decoding in a process of its own", .blocks)
struct DecoderProcessTests {
    /// Processes that are reported on.
    private final class Decoders: Sendable {
        let failures = Mutex<[String]>([])
        let warnings = Mutex<[[Confinement.Gap]]>([])
        let processes: Mutex<DecoderProcesses?> = Mutex(nil)

        /// - Parameter script: run by the shell in place of the program. `$PROGRAM` is the program's path.
        init(
            script: String? = nil, _ settings: DecoderProcesses.Settings = .init(longest: longestWait),
            clock: HeldClock = HeldClock()
        ) throws {
            var settings = settings
            settings.start = longestWait
            settings.program = try CommandRunner.program.path
            if let script {
                let words = [settings.program] + settings.arguments
                settings.program = "/bin/sh"
                settings.arguments = ["-c", script, "sh"] + words
            }
            let processes = DecoderProcesses(settings, clock: clock) { [weak self] event in
                switch event {
                case .unconfined(let gaps): self?.warnings.withLock { $0.append(gaps) }
                case .failed(let reason): self?.failures.withLock { $0.append(reason) }
                }
            }
            self.processes.withLock { $0 = processes }
        }

        deinit { processes.withLock { $0?.close() } }

        func decode(
            _ bytes: [UInt8], limits: PhotoLimits = PhotoLimits(), workingPixels: Int = 26_000_000
        ) throws -> DecodedPhoto {
            let processes = try #require(processes.withLock { $0 })
            return try processes.decode(bytes, limits: limits, workingPixels: workingPixels)
        }

        func error(_ bytes: [UInt8]) -> ImageError? {
            do {
                _ = try decode(bytes)
                return nil
            } catch {
                return error as? ImageError
            }
        }
    }

    private static let picture = RGBImage(size: PixelSize(width: 320, height: 200), filledWith: RGBColor(0xB08D57))

    private static func file() throws -> [UInt8] { try JPEGCodec.encode(picture, quality: 90) }

    @Test("Every format gives the same picture as in this process", arguments: ImageFormat.allCases)
    func formats(_ format: ImageFormat) throws {
        let bytes =
            switch format {
            case .jpeg: try Self.file()
            case .png: try PNGCodec.encode(Self.picture)
            case .webp: try WebPCodec.encode(Self.picture, quality: 80)
            case .heic: try HEICCodec.encode(Self.picture, quality: 80)
            }
        let decoders = try Decoders()
        #expect(try decoders.decode(bytes) == PhotoDecoder.decode(bytes))
        #expect(try decoders.decode(bytes, workingPixels: 5000) == PhotoDecoder.decode(bytes, workingPixels: 5000))
        #expect(decoders.failures.withLock { $0 } == [])
    }

    @Test("Errors and limits are the same as in this process")
    func errors() throws {
        let decoders = try Decoders()
        for bytes in [try Self.file().dropLast(1000), try Photos.hugePNG(), Array("no photo".utf8)] {
            let error = try #require(decoders.error(bytes))
            #expect(throws: error) { try PhotoDecoder.decode(bytes) }
        }
        #expect(throws: ImageError.self) {
            try decoders.decode(Self.file(), limits: PhotoLimits(maxPixels: 320 * 200 - 1))
        }
        #expect(decoders.failures.withLock { $0 } == [])
    }

    @Test("A damaged photo is named as such, without a text of the process")
    func damaged() throws {
        let decoders = try Decoders()
        var bytes = try Self.file()
        // A marker that no JPEG has, after the start of the file.
        bytes.replaceSubrange(2..<4, with: [0x00, 0x00])
        let here = #expect(throws: ImageError.self) { try PhotoDecoder.decode(bytes) }
        let error = try #require(decoders.error(bytes))
        #expect(error.code == here?.code)
        #expect(!error.message.contains("("))
        #expect(decoders.failures.withLock { $0 } == [])
    }

    // MARK: Processes that fail

    /// Starts as the program does; then `$1` and the rest are the program's words.
    private static let hello = #"printf '\0\0\0\0\0\0\0'; "#

    @Test("A photo whose process is killed in the middle is decoded by the next")
    func killed() throws {
        let temporary = try TemporaryFolder()
        let mark = temporary.url.appending(path: "started").path
        let decoders = try Decoders(
            script: "if [ ! -e '\(mark)' ]; then touch '\(mark)'; \(Self.hello) head -c 100 >/dev/null; kill -9 $$; fi;"
                + #" exec "$@""#)
        #expect(try decoders.decode(Self.file()) == PhotoDecoder.decode(Self.file()))
        #expect(decoders.failures.withLock { $0 } == ["it ended"])
    }

    @Test("A photo at which two processes ended is refused, and the next photo is decoded")
    func killedTwice() throws {
        let temporary = try TemporaryFolder()
        let starts = temporary.url.appending(path: "starts").path
        let decoders = try Decoders(
            script: "echo >> '\(starts)'; if [ $(wc -l < '\(starts)') -lt 3 ]; then \(Self.hello) "
                + #"head -c 100 >/dev/null; kill -9 $$; fi; exec "$@""#)
        let error = try #require(decoders.error(try Self.file()))
        #expect(error.code == .damaged)
        #expect(
            error.message
                == "The photo could not be decoded: it stopped the decoder twice. Re-save it, or take it again.")
        #expect(decoders.failures.withLock { $0 } == ["it ended", "it ended"])
        #expect(try decoders.decode(Self.file()) == PhotoDecoder.decode(Self.file()))
    }

    @Test("A process that never answers is ended, and the photo is refused")
    func silent() throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "process")
        let decoders = try Decoders(
            script: "echo $$ > '\(file.path)'; \(Self.hello) exec sleep 3600", .init(longest: .zero))
        let error = try #require(decoders.error(try Self.file()))
        #expect(error.message == "Decoding the photo took longer than 0 seconds. Reduce its size or re-save it.")
        #expect(decoders.failures.withLock { $0 } == ["it took too long"])
        let process = try #require(pid_t(String(decoding: Data(contentsOf: file), as: UTF8.self).dropLast()))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test(
        "An answer outside of the limits is not believed",
        arguments: [
            #"head -c 56 /dev/zero | tr '\0' '\377'"#,
            #"printf '\001\0\0\0\0\0\0\0'; head -c 48 /dev/zero | tr '\0' '\177'"#,
            // A problem that does not exist, and one with a size that no photo has.
            #"printf '\0\0\0\0\0\0\0\0\013\0\0\0\0\0\0\0'; head -c 40 /dev/zero"#,
            #"printf '\0\0\0\0\0\0\0\0\010\0\0\0\0\0\0\0\007\0\0\0\0\0\0\0'; head -c 32 /dev/zero"#,
            // A photo of 1 × 100,000,000 pixels.
            #"printf '\001\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\0\341\365\005\0\0\0\0\0\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0abc'"#,
        ])
    func invalid(_ answer: String) throws {
        let decoders = try Decoders(script: "\(Self.hello) \(answer); exec sleep 3600")
        #expect(decoders.error(try Self.file())?.code == .damaged)
        #expect(decoders.failures.withLock { $0 } == ["its answer was not valid", "its answer was not valid"])
    }

    @Test("A picture that needs more memory than the limit is refused, and a smaller one is decoded")
    func memory() throws {
        let decoders = try Decoders(.init(memory: 32 << 20, longest: longestWait))
        let large = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 4000, height: 4000)), quality: 50)
        #expect(decoders.error(large)?.code == .damaged)
        #expect(decoders.failures.withLock { $0 } == ["it ended", "it ended"])
        #expect(try decoders.decode(Self.file()) == PhotoDecoder.decode(Self.file()))
        #expect(try Decoders().decode(large).image.size == PixelSize(width: 4000, height: 4000))
    }

    @Test("A process that the system ended while it was idle is replaced")
    func idle() throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "process")
        let decoders = try Decoders(script: #"echo $$ > '\#(file.path)'; exec "$@""#)
        _ = try decoders.decode(Self.file())
        let process = try #require(pid_t(String(decoding: Data(contentsOf: file), as: UTF8.self).dropLast()))
        #expect(kill(process, SIGKILL) == 0)
        #expect(try decoders.decode(Self.file()) == PhotoDecoder.decode(Self.file()))
        #expect(decoders.failures.withLock { $0 } == ["it ended"])
    }

    @Test("A process that no photo needs for a minute is ended, and the next photo starts one")
    func unused() async throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "processes")
        let clock = HeldClock()
        let decoders = try Decoders(script: #"echo $$ >> '\#(file.path)'; exec "$@""#, clock: clock)
        func processes() throws -> [pid_t] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { pid_t($0) }
        }
        _ = try decoders.decode(Self.file())
        let half = Duration.seconds(30)
        await clock.pass(half)
        await clock.untilSleeping(for: half)
        // Used again: its minute begins again.
        _ = try decoders.decode(Self.file())
        await clock.pass(half)
        await clock.untilSleeping(for: half)
        let process = try #require(try processes().first)
        #expect(kill(process, 0) == 0)
        await clock.pass(half)
        try await eventually { kill(process, 0) != 0 }
        _ = try decoders.decode(Self.file())
        #expect(try processes().count == 2)
        #expect(decoders.failures.withLock { $0 } == [])
    }

    @Test("A process is replaced after its number of photos")
    func replaced() throws {
        let temporary = try TemporaryFolder()
        let starts = temporary.url.appending(path: "starts")
        let decoders = try Decoders(
            script: #"echo >> '\#(starts.path)'; exec "$@""#, .init(longest: longestWait, photosPerProcess: 2))
        for _ in 0..<5 { _ = try decoders.decode(Self.file()) }
        #expect(try Data(contentsOf: starts).count == 3)
    }

    @Test("Closing ends processes that are silent, as they decode and as they start", arguments: [hello, ""])
    func closes(_ greeting: String) async throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "process")
        let decoders = try Decoders(script: "\(greeting) echo $$ > '\(file.path)'; exec sleep 3600")
        let bytes = try Self.file()
        async let error = onOwnThread { decoders.error(bytes) }
        try await eventually { FileManager.default.contents(atPath: file.path)?.last == UInt8(ascii: "\n") }
        decoders.processes.withLock { $0?.close() }
        let message =
            "The process that decodes photos could not be started (the server is being stopped). Try again later."
        #expect(await error?.message == message)
        #expect(decoders.error(bytes)?.message == message, "later photos fail as well")
        let process = try #require(pid_t(String(decoding: Data(contentsOf: file), as: UTF8.self).dropLast()))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
        #expect(decoders.failures.withLock { $0 } == [])
    }

    @Test("A system that does not confine processes is reported once")
    func unconfined() throws {
        let decoders = try Decoders(script: #"printf '\046\0\014\0\0\0\0'"#)
        for _ in 0..<2 { #expect(decoders.error(try Self.file()) != nil) }
        #expect(decoders.warnings.withLock { $0 } == [[.init(.filter, code: 0o46), .init(.memory, code: 0o14)]])
    }

    @Test("A program that cannot be started is named at once")
    func missing() {
        var settings = DecoderProcesses.Settings()
        settings.program = "/nonexistent"
        let processes = DecoderProcesses(settings)
        #expect(
            throws: ImageError(
                .outOfMemory,
                "The process that decodes photos could not be started (No such file or directory). Try again later.")
        ) { try processes.prepare() }
    }
}
