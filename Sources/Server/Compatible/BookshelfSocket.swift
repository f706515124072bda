import Concurrency
import Foundation
import NIOCore
import NIOWebSocket
import Scans
import ShelflistAPI

/// A WebSocket of BooksTracker.
struct BookshelfSocket: Sendable {
    let feed: JobFeed
    let accounts: AccountBook
    let ticket: SocketTicket
    /// How long the socket waits for its job, and after the job's end for the app to close it.
    let patience: Duration
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let readiness = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// How long the first message waits for the app to be ready.
    private static let readyWait = Duration.seconds(2)

    private var jobs: ScanJobs { feed.jobs }

    /// Answers a message of the app.
    ///
    /// The app of October 2025 sends five `PING` texts, and drops as many messages.
    func receive(_ text: String) async throws {
        if text == "PING" {
            try await write([Data("PONG".utf8)])
        } else if text.contains("\"ready\"") {
            try await write([BookshelfProtocol.readyAnswer(of: ticket.job, at: Date())])
            readiness.continuation.yield()
        }
    }

    /// Sends the messages of the job until the app closes the socket.
    ///
    /// - Parameter job: `nil` if it does not exist yet.
    /// - Returns: the code to close with; `nil` if the connection is gone.
    func send(_ job: ScanJob?) async throws -> WebSocketErrorCode? {
        var job = job
        if job == nil { job = try await arrival() }
        guard let job else { return await jobs.runner.isStopping ? .serviceRestart : .noSuchJob }
        guard accounts.allows(ticket.caller, toSee: job) else { return .noSuchJob }
        var messages = BookshelfProtocol(job, jobs: jobs, base: ticket.base)
        // The app loses what comes before it is ready. It says so once, and never for a batch.
        if job.photosExpected == 1, !ticket.isReconnecting { await waitUntilReady() }
        let after = ticket.isReconnecting ? try await resume(&messages) : 0
        for await item in feed.items(of: job.id, after: after, endsWhenFinished: true) {
            switch item {
            case .event(let event): try await write(messages.texts(event))
            case .keepAlive: try await write(messages.keepAlive(at: Date()))
            }
        }
        guard try await jobs.log.job(job.id)?.isFinished ?? true else { return .serviceRestart }
        // The app fetches the results after the last message. It forgets the scan if the server closes the socket
        // before they have arrived, so the app is left to close it.
        for await signal in jobs.log.follow(job.id, quietAfter: patience) where signal == .quiet {
            return .normalClosure
        }
        return .serviceRestart
    }

    /// Waits until the app has uploaded the photos.
    private func arrival() async throws -> ScanJob? {
        let deadline = jobs.log.clock.uptime + patience
        for await signal in jobs.log.follow(ticket.job, quietAfter: min(feed.keepAlive, patience)) {
            if let job = try await jobs.log.job(ticket.job) { return job }
            guard jobs.log.clock.uptime < deadline else { return nil }
            if signal == .quiet { try await write([BookshelfProtocol.waiting(for: ticket.job, at: Date())]) }
        }
        return nil
    }

    private func waitUntilReady() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in readiness.stream { break } }
            group.addTask { try? await jobs.log.clock.sleep(for: Self.readyWait) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Sends the state so far instead of the messages that led to it.
    ///
    /// - Returns: the number of the last event that is part of the state.
    private func resume(_ messages: inout BookshelfProtocol) async throws -> Int {
        var last = 0
        while true {
            let events = try await jobs.log.events(of: ticket.job, after: last)
            let open = events.prefix { !$0.endsBookshelfJob }
            for event in open {
                messages.skip(event)
                last = event.id
            }
            if open.count < events.count || events.isEmpty { break }
        }
        try await write(messages.reconnected(at: Date()))
        return last
    }

    private func write(_ texts: [Data]) async throws {
        for text in texts {
            try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text)))
        }
    }
}

extension WebSocketErrorCode {
    /// The server restarts.
    ///
    /// BooksTracker reconnects after this code, but not after 1000 or 1001.
    static var serviceRestart: WebSocketErrorCode { .init(codeNumber: 1012) }
}
