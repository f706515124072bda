import Foundation
import ShelflistClient

/// Answers the requests of a client from a script.
struct ScriptedTransport: Transport {
    let server: ScriptedServer

    private static let noSuchAnswer = Problem(
        "no_such_route", status: 404, title: "Not in the script",
        detail: "The script has no answer to this request. Add it with 'answer'.")

    /// - Throws: `Problem`, which the client converts like one of a server.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        if let answer = try server.answer(to: request) {
            request.onSent(Self.count(request.body))
            let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            continuation.yield(answer.json)
            continuation.finish()
            return TransportResponse(
                status: answer.status, headers: ["content-type": "application/json"], body: body)
        }
        guard let other = server.other else { throw Self.noSuchAnswer }
        return try await other.send(request)
    }

    func receiveMessages(
        _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
        receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws -> Int? {
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        guard let scan = value("jobId"), let events = server.events(of: scan) else {
            guard let other = server.other else { throw TransportFailure.refused }
            return try await other.receiveMessages(request, onOpen: onOpen, receive: receive)
        }
        onOpen()
        for await _ in server.untilPhoto(of: scan) {}
        // A wait that is cancelled ends as well, without a photo.
        try Task.checkCancellation()
        let after = value("after").flatMap { Int($0) } ?? 0
        for event in events.list where event.id > after {
            if events.pace > .zero { try await events.clock.sleep(for: events.pace) }
            try await receive(WireJSON.encode(event))
        }
        return 1000
    }

    private static func count(_ body: TransportRequest.Body) -> Int {
        switch body {
        case .none: 0
        case .data(let data): data.count
        case .file(let file): (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }
    }
}
