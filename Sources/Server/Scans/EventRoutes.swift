import Foundation
import Hummingbird
import NIOCore
import Scans
import ShelflistAPI

/// The route for a job's event log, as a stream or in pages.
struct EventRoutes: Sendable {
    let scans: ScanRoutes
    let feed: JobFeed

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/scans/:job/events", needs: .job, events)
    }

    private func events(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await scans.job(context)
        let query = Query(request)
        let after = try query.integer("after", in: 0...Int(Int32.max)) ?? 0
        guard request.headers[.accept]?.contains(ServerSentEvents.contentType) ?? false else {
            let events = try await scans.jobs.log.events(of: job.id, after: after)
            let last = events.last?.id ?? after
            let isDone = job.isFinished && !job.isAsking && last >= job.lastEvent
            return try EventPage(events: events.map(EventMessage.init), lastEventId: last, done: isDone)
                .response(from: request, context: context)
        }
        let last = request.headers[.lastEventID].flatMap { Int($0) } ?? after
        return Self.stream(request, context, of: feed.items(of: job.id, after: last)) { item in
            guard case .event(let event) = item else { return [ServerSentEvents.ping] }
            let data = try WireJSON.encode(EventMessage(event: event), below: context.base.basePath.text)
            return [ServerSentEvents.event(id: "\(event.id)", type: event.type, data: data)]
        }
    }

    /// Returns a response that streams server-sent events until `items` end, the client disconnects, its session ends or
    /// its role is lowered.
    ///
    /// Announces that the connection closes: the task that watches for the end of the connection reads from it, so that
    /// it may consume the start of a next request, which would never be answered.
    ///
    /// - Parameters:
    ///   - texts: returns what to send for an item.
    ///   - end: returns what to send after the last item.
    static func stream(
        _ request: Request, _ context: AppContext, of items: AsyncStream<JobFeed.Item>,
        texts: @escaping @Sendable (JobFeed.Item) async throws -> [Data],
        end: @escaping @Sendable () async throws -> [Data] = { [] }
    ) -> Response {
        let body = ResponseBody { writer in
            // Safe, because one task at a time uses the writer; the others watch the request and its caller.
            nonisolated(unsafe) var writer = writer
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                let isComplete = try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        for await item in items {
                            guard context.callerCheck?.isValid ?? true else { return false }
                            for text in try await texts(item) { try await writer.write(ByteBuffer(bytes: text)) }
                        }
                        return true
                    }
                    if let check = context.callerCheck {
                        group.addTask {
                            try await check.waitUntilInvalid()
                            return false
                        }
                    }
                    defer { group.cancelAll() }
                    return try await group.next() ?? false
                }
                if isComplete {
                    for text in try await end() { try await writer.write(ByteBuffer(bytes: text)) }
                }
                try await writer.finish(nil)
            }
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: ServerSentEvents.contentType, .cacheControl: "no-store",
                .accelBuffering: "no", .connection: "close",
            ], body: body)
    }
}
