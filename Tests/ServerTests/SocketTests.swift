import Foundation
import Scanning
import ScanningFixtures
import Server
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct SocketTests {
    private static func scan(_ server: TestServer, _ script: String) throws -> (id: String, token: String) {
        let accepted = try server.scan([script])
        return (try #require(accepted.string("jobId")), try #require(accepted.string("token")))
    }

    @Test func tellsTheWholeLogAndClosesWhenTheJobIsDone() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let (id, token) = try Self.scan(server, "wait:Emma")
            let socket = try Connection(port: server.port)
            let answer = try socket.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(token)")
            #expect(answer.status == 101)
            #expect(answer.headers["sec-websocket-protocol"] == "shelflist")
            server.reader.release()
            var types: [String] = []
            while true {
                let (opcode, payload) = try socket.frame()
                if opcode == 8 {
                    #expect(payload.prefix(2) == [0x03, 0xE8])
                    break
                }
                let event = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
                types.append(event?["type"] as? String ?? "")
                #expect(event?["id"] as? Int == types.count)
            }
            #expect(types.first == "progress")
            #expect(types.last == "completed")
        }
        await server.stop()
    }

    @Test func answersPingAndKeepsTheConnectionAlive() async throws {
        let server = try await TestServer { settings, _ in settings.keepAlive = .milliseconds(100) }
        try await onOwnThreads {
            let (id, token) = try Self.scan(server, "wait:Emma")
            let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(id)&token=\(token)", protocols: "shelflist")
            try socket.sendFrame(9, [1, 2, 3])
            var hasPong = false
            var hasKeepAlive = false
            while !(hasPong && hasKeepAlive) {
                let (opcode, payload) = try socket.frame()
                if opcode == 10 { hasPong = payload == [1, 2, 3] }
                if String(decoding: payload, as: UTF8.self).contains("keepAlive") { hasKeepAlive = true }
            }
            server.reader.release()
        }
        await server.stop()
    }

    @Test func answersAPhoneThatWokeUp() async throws {
        // A keep-alive looks the same as the answer.
        let server = try await TestServer { settings, _ in settings.keepAlive = .seconds(600) }
        try await onOwnThreads {
            let (id, token) = try Self.scan(server, "wait:Emma")
            let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(token)")
            try socket.sendFrame(1, Array(#"{"type":"ping"}"#.utf8))
            var text = ""
            while !text.contains(#""ping""#) { text = String(decoding: try socket.frame().payload, as: UTF8.self) }
            server.reader.release()
        }
        await server.stop()
    }

    @Test(arguments: [
        (UInt8(1), 10, false, UInt16(1002)), (1, 20_000, true, 1009), (3, 5, true, 1002), (0, 5, true, 1002),
        (9, 126, true, 1002),
    ]) func closesOnFramesThatBreakTheRules(opcode: UInt8, size: Int, masked: Bool, code: UInt16) async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let (id, token) = try Self.scan(server, "wait:Emma")
            let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(token)")
            try socket.sendFrame(opcode, [UInt8](repeating: 65, count: size), masked: masked)
            var frame = try socket.frame()
            while frame.opcode != 8 { frame = try socket.frame() }
            #expect(frame.payload.prefix(2) == [UInt8(code >> 8), UInt8(code & 255)])
            server.reader.release()
        }
        await server.stop()
    }

    @Test func closesOnTextThatIsNoUnicode() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let (id, token) = try Self.scan(server, "wait:Emma")
            let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(token)")
            try socket.sendFrame(1, [0xC3, 0x28])
            var frame = try socket.frame()
            while frame.opcode != 8 { frame = try socket.frame() }
            #expect(frame.payload.prefix(2) == [0x03, 0xEF])
            server.reader.release()
        }
        await server.stop()
    }

    @Test func refusesHandshakesWithoutHangingThem() async throws {
        let server = try await TestServer()
        _ = try await onOwnThreads { try server.makeOwner() }
        try await onOwnThreads {
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
        await server.stop()
    }

    @Test func refusesStrangersViewersAndTokensOfOtherJobs() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let owner = try server.makeOwner()
            let account = #"{"name":"Bea","password":"a long password","role":"viewer"}"#
            _ = try server.send("POST", "/api/v1/members", headers: owner, json: account)
            let viewer = try server.cookie(server.send("POST", "/api/v1/session", json: account))
            let own = try server.scan(["wait:Dune"], headers: owner)
            let other = try server.scan(["wait:Emma"], headers: owner)
            let id = try #require(own.string("jobId"))
            func status(_ headers: [String: String]) throws -> Int {
                try Connection(port: server.port).upgrade(
                    "/ws/progress?jobId=\(id)", headers: headers.map { "\($0): \($1)\r\n" }.joined()
                ).status
            }
            func bearer(_ accepted: Answer) -> [String: String] {
                ["Authorization": "Bearer \(accepted.string("token") ?? "")"]
            }
            #expect(try status([:]) == 401)
            #expect(try status(viewer) == 401)
            #expect(try status(bearer(other)) == 401)
            #expect(try status(bearer(own)) == 101)
            #expect(try status(owner) == 101)
            #expect(try status(owner.merging(["Origin": "https://evil.example"]) { $1 }) == 401)
            server.reader.release()
        }
        await server.stop()
    }

    @Test func aStopEndsOpenSocketsAndStreams() async throws {
        let server = try await TestServer()
        let (socket, stream) = try await onOwnThreads {
            let (id, token) = try Self.scan(server, "wait:Emma")
            nonisolated(unsafe) let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(token)")
            nonisolated(unsafe) let stream = try Connection(port: server.port)
            try stream.send(
                TestServer.request("GET", "/api/v1/scans/\(id)/events", headers: ["Accept": "text/event-stream"]))
            _ = try stream.read(through: "event: progress")
            return (Handed(socket), Handed(stream))
        }
        async let stopped: Void = server.stop()
        while await !server.jobs.isStopping { await Task.yield() }
        server.reader.release()
        await stopped
        try await onOwnThreads {
            _ = try socket.value.readToEnd()
            _ = try stream.value.readToEnd()
        }
    }
}

/// A connection handed from one task to the next, which alone uses it from then on.
struct Handed: @unchecked Sendable {
    let value: Connection

    init(_ value: Connection) { self.value = value }
}
