import Foundation
import ShelflistClient
import Synchronization

/// Lets the time limits of a client expire while a request is in flight whose bytes a proxy has swallowed, and not before.
final class SwallowedRequests: Sendable {
    private struct State {
        var last = 0
        /// The first lines of the requests, by number.
        var inFlight: [Int: String] = [:]
        var swallowed: Set<Int> = []
        var count = 0
    }

    private let state = Mutex(State())
    private let expire: @Sendable (Bool) -> Void
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - expire: called with whether time limits expire.
    ///   - onEnd: called when a swallowed request has ended.
    init(expire: @escaping @Sendable (Bool) -> Void, onEnd: @escaping @Sendable () -> Void) {
        (self.expire, self.onEnd) = (expire, onEnd)
    }

    /// How many requests were swallowed so far.
    var count: Int { state.withLock(\.count) }

    /// - Parameter line: the method and the path of the request; nil for one that is encrypted.
    func swallow(_ line: String?) {
        state.withLock { state in
            let found = state.inFlight.filter { line == nil || $0.value == line }.keys
            state.swallowed.formUnion(found)
            state.count += 1
            if !state.swallowed.isEmpty { expire(true) }
        }
    }

    fileprivate func begin(_ request: TransportRequest) -> Int {
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return state.withLock { state in
            state.last += 1
            state.inFlight[state.last] = "\(request.method) \(request.url.path(percentEncoded: true))\(query)"
            return state.last
        }
    }

    fileprivate func end(_ id: Int) {
        let wasSwallowed = state.withLock { state in
            state.inFlight[id] = nil
            let wasSwallowed = state.swallowed.remove(id) != nil
            if wasSwallowed, state.swallowed.isEmpty { expire(false) }
            return wasSwallowed
        }
        if wasSwallowed { onEnd() }
    }
}

/// A transport whose requests are known while they are in flight.
struct ObservedTransport: Transport {
    let base: any Transport
    let requests: SwallowedRequests

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let flight = Flight(request, requests)
        do {
            var response = try await base.send(request)
            response.body = observed(response.body, flight)
            return response
        } catch {
            flight.end()
            throw error
        }
    }

    func receiveMessages(
        _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
        receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws -> Int? {
        let flight = Flight(request, requests)
        defer { flight.end() }
        return try await base.receiveMessages(request, onOpen: onOpen, receive: receive)
    }
}

/// One request from its start to the end of its response.
private final class Flight: Sendable {
    private let requests: SwallowedRequests
    private let id: Int

    init(_ request: TransportRequest, _ requests: SwallowedRequests) {
        self.requests = requests
        id = requests.begin(request)
    }

    func end() { requests.end(id) }

    // A response that is not read ends with its owner.
    deinit { end() }
}

private func observed(
    _ body: some AsyncSequence<Data, any Error> & Sendable, _ flight: Flight
) -> any AsyncSequence<Data, any Error> & Sendable {
    ObservedBody(base: body, flight: flight)
}

private struct ObservedBody<Base: AsyncSequence<Data, any Error> & Sendable>: AsyncSequence, Sendable {
    let base: Base
    let flight: Flight

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let flight: Flight

        mutating func next() async throws -> Data? {
            do {
                let piece = try await base.next()
                if piece == nil { flight.end() }
                return piece
            } catch {
                flight.end()
                throw error
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator(), flight: flight) }
}
