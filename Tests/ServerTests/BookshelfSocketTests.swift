import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import TestSupport
import Testing

/// The timing of BooksTracker's socket, by docs/api/compatibility.md.
@Suite(.serialized, .endsHangs) struct BookshelfSocketTests {
    private static let keepAlive = ServerSettings().keepAlive

    @Test("A socket whose job never comes is closed, and at once if the job cannot come")
    func giveUp() async throws {
        try await withServer(configure: { settings, _ in settings.appPatience = Self.keepAlive }) { server in
            let socket = try BookshelfSocketClient(server, query: "jobId=\(UUID().uuidString)", isReady: false)
            await server.clock.pass(Self.keepAlive)
            #expect(try socket.next().code == 4404)
        }
        try await withServer { server in
            let other = try BookshelfSocketClient(server, query: "jobId=shelf", isReady: false)
            #expect(try other.next().code == 4404, "not a UUID")
            let own = try BookshelfSocketClient(
                server, query: "jobId=\(UUID().uuidString)", protocols: "shelflist", isReady: false)
            #expect(try own.next().code == 4404, "a client of this API knows its job")
        }
    }

    @Test("A socket that waits is kept alive")
    func keptAliveWhileWaiting() async throws {
        try await withServer { server in
            let job = UUID().uuidString
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)")
            await server.clock.pass(Self.keepAlive)
            let message = try socket.message()
            #expect(message.type == "job_progress" && message.payload.keepAlive == true)
            #expect(message.data?.keepAlive == true)
            _ = try server.bookshelfJob("books:Emma", job: job)
            #expect(try socket.messages(to: "job_complete").contains { $0.type == "job_started" })
        }
    }

    @Test("A job of another member is not shown to a socket that waited for it")
    func otherMember() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let other = try server.addMember("Bea", by: owner).session
            let job = UUID().uuidString
            let connection = try Connection(port: server.port)
            _ = try connection.upgrade(
                "/ws/progress?jobId=\(job)", headers: other.map { "\($0): \($1)\r\n" }.joined())
            _ = try server.scan(["books:Emma"], headers: owner, path: "/api/scan-bookshelf?jobId=\(job)")
            let (opcode, payload) = try connection.frame()
            #expect(opcode == 8 && payload.prefix(2) == [0x11, 0x34], "4404")
        }
    }

    @Test("A long silence is filled with keep-alives that repeat the state")
    func keptAlive() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("wait:Emma", "books:Dune")
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)", isReady: false)
            let alive = try await server.clock.passing(Self.keepAlive) {
                var message = try socket.message()
                while message.payload.keepAlive == nil { message = try socket.message() }
                return message
            }
            #expect(alive.type == "job_progress" && alive.payload.currentItem == "0")
            let photos = try socket.message()
            #expect(photos.type == "batch-progress" && photos.payload.photoStatus == "processing")
            server.reader.release()
            _ = try socket.messages(to: "job_complete")
        }
    }

    /// The app fetches the results after the last message, and forgets them if the server closes first.
    @Test("The socket stays open after the last message until the app closes it")
    func staysOpen() async throws {
        try await withServer(configure: { settings, _ in settings.appPatience = longestWait }) { server in
            let job = try server.bookshelfJob("books:Emma")
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)")
            _ = try socket.messages(to: "job_complete")
            try socket.send("PING")
            #expect(try socket.next().text == "PONG", "still open")
            let end = try await server.clock.passing(longestWait) { try socket.next() }
            #expect(end.code == 1000)
        }
    }

    /// The app sets its handlers after it has said that it is ready.
    @Test("Nothing is sent for one photo before the app is ready, also if the job has already failed")
    func waitsForReady() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("fail")
            try await eventually { try server.send("GET", "/scan/status/\(job)").string("status") == "error" }
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)", isReady: false)
            try socket.send("PING")
            #expect(try socket.next().text == "PONG", "and no message before it")
            try socket.send(#"{"type":"ready"}"#)
            #expect(try socket.messages(to: "error").first?.type == "ready_ack")
        }
    }

    @Test("An app that does not say that it is ready gets the messages after two seconds")
    func neverReady() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("books:Emma")
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)", isReady: false)
            await server.clock.pass(.seconds(2))
            #expect(try socket.message().type == "job_started")
        }
    }

    @Test("A client that reconnects gets the state so far and the rest")
    func reconnects() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("books:Dune", "wait:Emma")
            let first = try BookshelfSocketClient(server, query: "jobId=\(job)", isReady: false)
            while try first.message().payload.currentItem != "1" {}
            first.connection.cut()
            let second = try BookshelfSocketClient(server, query: "jobId=\(job)&reconnect=true", isReady: false)
            let state = try second.message()
            #expect(state.type == "reconnected" && state.payload.processedCount == 1)
            #expect(state.payload.totalCount == 2)
            #expect(try second.message().payload.totalBooksFound == 1)
            server.reader.release()
            let rest = try second.messages(to: "job_complete")
            #expect(!rest.contains { $0.type == "job_started" })
            let late = try BookshelfSocketClient(server, query: "jobId=\(job)&reconnect=true", isReady: false)
            #expect(try late.messages(to: "job_complete").first?.type == "reconnected")
        }
    }

    /// A client that offers this API's subprotocol receives its events for every job.
    @Test("Only jobs created by the app send its messages")
    func ownJobsOnly() async throws {
        try await withServer { server in
            for (path, protocols, last) in [
                ("/api/v1/scans", nil, "completed"), ("/api/scan-bookshelf", nil, "job_complete"),
                ("/api/scan-bookshelf", "shelflist", "completed"),
            ] as [(String, String?, String)] {
                let accepted = try server.scan(["books:Emma"], path: path)
                let (id, token) = (accepted.string("jobId") ?? "", accepted.string("token") ?? "")
                let socket = try BookshelfSocketClient(
                    server, query: "jobId=\(id)&token=\(token)", protocols: protocols, isReady: last == "job_complete")
                #expect(try socket.type(of: "completed", "job_complete") == last)
            }
        }
    }
}
