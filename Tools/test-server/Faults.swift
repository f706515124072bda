import Foundation
import ShelflistAPI
import Synchronization

/// How the next requests of a route fail.
struct RequestFault: Decodable, Sendable {
    var method: String
    /// Without the query; `*` stands for any characters.
    var path: String
    var times = 1
    /// Whether the connection is cut instead of answered.
    var cut = false
    var problem: Problem

    private enum CodingKeys: CodingKey {
        case method, path, times, cut, status, code, title, detail, retryAfterMs, retryable
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.decode(String.self, forKey: .method)
        path = try container.decode(String.self, forKey: .path)
        times = try container.decodeIfPresent(Int.self, forKey: .times) ?? 1
        cut = try container.decodeIfPresent(Bool.self, forKey: .cut) ?? false
        let status = try container.decodeIfPresent(Int.self, forKey: .status) ?? 503
        problem = Problem(
            try container.decodeIfPresent(String.self, forKey: .code) ?? "fault", status: status,
            title: try container.decodeIfPresent(String.self, forKey: .title) ?? "Fault of a test",
            detail: try container.decodeIfPresent(String.self, forKey: .detail) ?? "This request was made to fail.",
            retryable: try container.decodeIfPresent(Bool.self, forKey: .retryable) ?? (status >= 500 || status == 429),
            retryAfterMs: try container.decodeIfPresent(Int.self, forKey: .retryAfterMs))
    }

    fileprivate func matches(_ request: RequestLine) -> Bool {
        method == request.method
            && Self.matches(path.split(separator: "*", omittingEmptySubsequences: false), request.path)
    }

    /// Whether a text begins with the first part, ends with the last, and has the others between, in order.
    private static func matches(_ parts: [Substring], _ text: String) -> Bool {
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return text == parts.joined() }
        guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else { return false }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}

/// What becomes of sockets and event streams.
struct SocketFault: Decodable, Sendable {
    /// After how many events the next socket is cut.
    var cutAfter: Int?
    /// Whether sockets are refused.
    var off: Bool?
    /// Whether event streams are refused.
    var streamOff: Bool?
}

/// The faults that a test ordered, and the requests so far.
final class Faults: Sendable {
    /// What to do with a request.
    enum Outcome: Equatable {
        /// - Parameter cutAfter: cuts a socket after so many events.
        case pass(cutAfter: Int?)
        case answer(Problem)
        case cut
    }

    private struct State {
        var requests: [String: Int] = [:]
        var faults: [RequestFault] = []
        var socket = SocketFault()
    }

    private let state = Mutex(State())

    var requests: [String: Int] { state.withLock(\.requests) }

    /// - Parameter fault: nil removes all.
    func fail(_ fault: RequestFault?) {
        state.withLock { state in
            if let fault { state.faults.append(fault) } else { state.faults = [] }
        }
    }

    func set(_ fault: SocketFault) { state.withLock { $0.socket = fault } }

    /// Counts a request, and decides on it.
    func outcome(of request: RequestLine) -> Outcome {
        state.withLock { state in
            state.requests["\(request.method) \(request.path)", default: 0] += 1
            if let index = state.faults.firstIndex(where: { $0.matches(request) }) {
                let fault = state.faults[index]
                state.faults[index].times -= 1
                if fault.times <= 1 { state.faults.remove(at: index) }
                return fault.cut ? .cut : .answer(fault.problem)
            }
            if request.isUpgrade {
                if state.socket.off == true { return .answer(Self.refused) }
                defer { state.socket.cutAfter = nil }
                return .pass(cutAfter: state.socket.cutAfter)
            }
            if request.asksForStream, state.socket.streamOff == true { return .answer(Self.refused) }
            return .pass(cutAfter: nil)
        }
    }

    private static let refused = Problem(
        "fault", status: 404, title: "Fault of a test", detail: "A proxy does not pass this on.")
}
