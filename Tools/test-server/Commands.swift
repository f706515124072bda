import Concurrency
import Foundation
import ReadingFixtures

/// Obeys the commands of a test: one JSON object a line on standard input, one answer a line on standard output.
struct Commands: Sendable {
    let reader: RecordedReader
    let clock: ShiftedClock
    /// The server's clock, which `clock` moves: codes of an authenticator app depend on its exact time.
    let steady: SteadyClock
    let front: Front

    /// A command with the arguments of all of them.
    private struct Command: Decodable {
        var command: String
        var method: String?
        var point: ReadingGate.Point?
        var share: Double?
        var count: Int?
        var seconds: Double?
    }

    private struct Answer: Encodable {
        var ok: Bool?
        var error: String?
        var photos: Int?
        var frames: Int?
        var held: Int?
        /// The server's time, in seconds since 1970.
        var now: Double?
        /// By method and path.
        var requests: [String: Int]?
    }

    /// Obeys until standard input ends.
    func obey() async throws {
        for await line in Self.lines {
            let answer: Answer
            do {
                answer = try await obey(Data(line.utf8))
            } catch {
                answer = Answer(error: "\(error)")
            }
            Self.say(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
        }
    }

    /// The lines of standard input, which a thread of its own waits for.
    private static var lines: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    /// - Returns: the answer once the command has taken effect.
    private func obey(_ line: Data) async throws -> Answer {
        let command = try JSONDecoder().decode(Command.self, from: line)
        switch command.command {
        case "hold": reader.gate.hold(at: command.point ?? .text, share: command.share ?? 0)
        case "waitUntilHeld": await reader.gate.waitUntilHeld(command.count ?? 1)
        case "release": reader.gate.release(command.count)
        case "advance": clock.advance(seconds: command.seconds ?? 0)
        case "stopClock":
            clock.stop()
            return Answer(ok: true, now: steady.now.timeIntervalSince1970)
        case "fail":
            front.faults.fail(
                command.method == nil ? nil : try JSONDecoder().decode(RequestFault.self, from: line))
        case "socket": front.faults.set(try JSONDecoder().decode(SocketFault.self, from: line))
        case "stats":
            return Answer(
                ok: true, photos: reader.read.photos, frames: reader.read.frames, held: reader.gate.held,
                requests: front.faults.requests)
        default: return Answer(error: "There is no command '\(command.command)'.")
        }
        return Answer(ok: true)
    }

    /// Writes a line.
    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
