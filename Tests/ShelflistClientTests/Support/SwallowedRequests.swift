import Foundation
import ShelflistClient
import Synchronization

/// Ends the requests of a client whose bytes a proxy swallowed, as their time limit would, and no other.
final class SwallowedRequests: Sendable {
    private struct State {
        var last = 0
        var inFlight: [Int: Flight] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let endsThem: Bool
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - endsThem: whether swallowed requests end at all.
    ///   - onEnd: called when a swallowed request has ended, and when bytes of none in flight were swallowed.
    init(endsThem: Bool, onEnd: @escaping @Sendable () -> Void) {
        (self.endsThem, self.onEnd) = (endsThem, onEnd)
    }

    /// How many requests were swallowed so far.
    var count: Int { state.withLock(\.count) }

    /// - Parameter line: the method and the path of the request; nil for one that is encrypted.
    func swallow(_ line: String?) {
        let found = state.withLock { state in
            state.count += 1
            return state.inFlight.values.filter { line == nil || $0.line == line }
        }
        guard endsThem else { return }
        // A connection that was opened for a request that has ended serves the next one, which would wait without end.
        if found.isEmpty { onEnd() }
        for flight in found { flight.timeOut() }
    }

    fileprivate func begin(_ request: TransportRequest) -> Flight {
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let line = "\(request.method) \(request.url.path(percentEncoded: true))\(query)"
        return state.withLock { state in
            state.last += 1
            let flight = Flight(id: state.last, line: line)
            state.inFlight[state.last] = flight
            return flight
        }
    }

    fileprivate func end(_ flight: Flight) {
        let wasInFlight = state.withLock { $0.inFlight.removeValue(forKey: flight.id) != nil }
        if wasInFlight, flight.hasTimedOut { onEnd() }
    }
}

/// One request from its start to the end of its response.
private final class Flight: Sendable {
    private struct State {
        var hasTimedOut = false
        var cancel: @Sendable () -> Void = {}
    }

    let id: Int
    let line: String
    private let state = Mutex(State())

    init(id: Int, line: String) { (self.id, self.line) = (id, line) }

    var hasTimedOut: Bool { state.withLock(\.hasTimedOut) }

    func timeOut() {
        let cancel = state.withLock { state in
            state.hasTimedOut = true
            return state.cancel
        }
        cancel()
    }

    /// - Throws: `TransportFailure.timedOut` if the request is swallowed before the work is done.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task(operation: work)
        let isLate = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.hasTimedOut
        }
        if isLate { task.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw hasTimedOut ? TransportFailure.timedOut : error
        }
    }
}

/// A transport that ends requests once they are swallowed.
struct SwallowingTransport: Transport {
    let base: any Transport
    let requests: SwallowedRequests

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let flight = requests.begin(request)
        do {
            var response = try await flight.run { try await base.send(request) }
            response.body = body(response.body, flight)
            return response
        } catch {
            requests.end(flight)
            throw error
        }
    }

    func receiveMessages(
        _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
        receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws -> Int? {
        let flight = requests.begin(request)
        defer { requests.end(flight) }
        return try await flight.run { try await base.receiveMessages(request, onOpen: onOpen, receive: receive) }
    }

    private func body(
        _ body: any AsyncSequence<Data, any Error> & Sendable, _ flight: Flight
    ) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            let reading = Task {
                do {
                    try await flight.run { for try await piece in body { continuation.yield(piece) } }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
                requests.end(flight)
            }
            // A response that is not read to its end.
            continuation.onTermination = { _ in reading.cancel() }
        }
    }
}
