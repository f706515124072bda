import Foundation
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct SocketTests {
    /// Uploads a script that waits, and opens a socket for its job.
    private static func open(_ server: TestServer) throws -> (job: String, socket: Connection) {
        let accepted = try server.scan(["wait:Emma"]).decode(ScanAccepted.self)
        let socket = try Connection(port: server.port)
        let answer = try socket.upgrade(
            "/ws/progress?jobId=\(accepted.jobId)", protocols: "shelflist, token.\(accepted.token)")
        #expect(answer.status == 101)
        #expect(answer.headers["sec-websocket-protocol"] == "shelflist")
        return (accepted.jobId, socket)
    }

    @Test("A socket sends the complete log and closes when the job ends")
    func sendsWholeLog() async throws {
        try await withServer { server in
            let (_, socket) = try Self.open(server)
            server.reader.release()
            var events: [JobEvent] = []
            while true {
                let (opcode, payload) = try socket.frame()
                if opcode == 8 {
                    #expect(payload.prefix(2) == [0x03, 0xE8])
                    break
                }
                events.append(try WireJSON.decode(from: Data(payload)))
            }
            #expect(events.map(\.id) == events.indices.map { $0 + 1 })
            #expect(events.first?.type == "progress")
            #expect(events.last?.type == "completed")
        }
    }

    @Test("A socket answers pings, and the app's own ping message, in the order in which they were sent")
    func answersPings() async throws {
        // The clock stands still, so that there are no keep-alives, which look the same as the answer to the app's message.
        try await withServer { server in
            let job = try server.scan(["wait:Emma"]).decode(ScanAccepted.self)
            let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(job.jobId)&token=\(job.token)", protocols: "shelflist")
            try socket.sendFrame(9, [1, 2, 3])
            try socket.sendFrame(1, Array(#"{"type":"ping"}"#.utf8))
            try socket.sendFrame(9, [4])
            try socket.sendFrame(8, [0x03, 0xE8])
            var answers: [String] = []
            while true {
                let (opcode, payload) = try socket.frame()
                if opcode == 8 { break }
                if opcode == 10 { answers.append("\(payload)") }
                if opcode == 1, String(decoding: payload, as: UTF8.self).contains(#""ping""#) { answers.append("ping") }
            }
            #expect(answers == ["[1, 2, 3]", "ping", "[4]"])
            server.reader.release()
        }
    }

    @Test("A quiet socket sends keep-alives")
    func sendsKeepAlives() async throws {
        try await withServer { server in
            let (_, socket) = try Self.open(server)
            let text = try await server.clock.passing(ServerSettings().keepAlive) {
                var text = ""
                while !text.contains("keepAlive") { text = String(decoding: try socket.frame().payload, as: UTF8.self) }
                return text
            }
            struct Ping: Decodable {
                var type: String
                var keepAlive: Bool
            }
            let ping = try JSONDecoder().decode(Ping.self, from: Data(text.utf8))
            #expect(ping.type == "ping" && ping.keepAlive, "\(text)")
            server.reader.release()
        }
    }

    private static func text(_ size: Int) -> [UInt8] { [UInt8](repeating: 65, count: size) }

    @Test(
        "A frame that violates the protocol closes the socket",
        arguments: [
            (UInt8(1), text(10), false, 1002), (1, text(20_000), true, 1009), (3, text(5), true, 1002),
            (0, text(5), true, 1002), (9, text(126), true, 1002),
            // Not UTF-8.
            (1, [0xC3, 0x28], true, 1007),
        ])
    func closesOnBadFrames(opcode: UInt8, payload: [UInt8], masked: Bool, code: Int) async throws {
        try await withServer { server in
            let (_, socket) = try Self.open(server)
            try socket.sendFrame(opcode, payload, masked: masked)
            #expect(try socket.closeCode() == code)
            server.reader.release()
        }
    }

    @Test("A refused handshake gets an error response")
    func refusesHandshakes() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            #expect(try Connection(port: server.port).upgrade("/ws/progress?jobId=x").status == 401)
            #expect(try Connection(port: server.port).upgrade("/ws/progress?jobId=x&token=slj_1.a").status == 401)
            #expect(try Connection(port: server.port).upgrade("/ws/progress").status == 400)
            #expect(try Connection(port: server.port).upgrade("/ws/progress?jobId=x&after=y").status == 400)
            #expect(try Connection(port: server.port).upgrade("/nothing").status == 404)
            #expect(try server.send("GET", "/ws/progress?jobId=x").status == 426)
            let h2c = try server.send(
                "GET", "/health", headers: ["Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings"])
            #expect(h2c.status == 200)
        }
    }

    @Test("A socket refuses unknown callers, viewers and tokens of other jobs")
    func refusesOtherCallers() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let viewer = try server.addMember("Bea", role: "viewer", by: owner).session
            let own = try server.scan(["wait:Dune"], headers: owner).decode(ScanAccepted.self)
            let other = try server.scan(["wait:Emma"], headers: owner).decode(ScanAccepted.self)
            func status(_ headers: [String: String]) throws -> Int {
                try Connection(port: server.port).upgrade(
                    "/ws/progress?jobId=\(own.jobId)", headers: headers.map { "\($0): \($1)\r\n" }.joined()
                ).status
            }
            func bearer(_ accepted: ScanAccepted) -> [String: String] {
                ["Authorization": "Bearer \(accepted.token)"]
            }
            #expect(try status([:]) == 401)
            #expect(try status(viewer) == 401)
            #expect(try status(bearer(other)) == 401)
            #expect(try status(bearer(own)) == 101)
            #expect(try status(owner) == 101)
            #expect(try status(owner.merging(["Origin": "https://evil.example"]) { $1 }) == 401)
            server.reader.release()
        }
    }

    @Test("Stopping the server ends open sockets and streams")
    func stopEndsStreams() async throws {
        try await withServer { server in
            let (id, socket) = try Self.open(server)
            let stream = try Connection(port: server.port)
            try stream.send(
                TestServer.request("GET", "/api/v1/scans/\(id)/events", headers: ["Accept": "text/event-stream"]))
            _ = try stream.read(through: "event: progress")
            let stopping = Task { await server.shutDown() }
            try await eventually { await server.jobs.runner.isStopping }
            server.reader.release()
            await stopping.value
            #expect(try socket.closeCode() == 1001, "going away: the job is continued after the next start")
            #expect(!String(decoding: try stream.readToEnd(), as: UTF8.self).contains("event: completed"))
        }
    }
}
