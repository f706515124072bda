import NIOCore
import NIOEmbedded
import NIOHTTP1
import Server
import Testing

/// Tests the deadlines of a connection with a controlled clock.
@Suite struct DeadlineTests {
    private struct Bench {
        let loop = EmbeddedEventLoop()
        let channel: EmbeddedChannel

        init() throws {
            var deadlines = ConnectionDeadlines()
            deadlines.firstHead = .seconds(15)
            deadlines.nextHead = .seconds(75)
            deadlines.bodyPause = .seconds(2)
            deadlines.bodyBytesPerSecond = 1000
            channel = EmbeddedChannel(
                handlers: [
                    StalledWrites(pause: .seconds(30)),
                    RequestGuard(deadlines: deadlines, maxBodyBytes: 1_000_000) { _, _ in false },
                ], loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        }

        func receive(_ part: HTTPServerRequestPart) throws { try channel.writeInbound(part) }

        func receiveHead(headers: HTTPHeaders = ["host": "localhost"]) throws {
            try receive(.head(.init(version: .http1_1, method: .PUT, uri: "/", headers: headers)))
        }

        func answer(headers: HTTPHeaders = [:]) throws {
            try channel.writeOutbound(
                HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }

        /// The status of the next answer; `nil` if there is none.
        func status() throws -> Int? {
            guard case .head(let head)? = try channel.readOutbound(as: HTTPServerResponsePart.self) else { return nil }
            return Int(head.status.code)
        }

        func wait(_ time: TimeAmount) { loop.advanceTime(by: time) }

        /// Expects that the connection is closed after this time, and not 100 ms before.
        func expectEnd(after time: TimeAmount) {
            wait(time - .milliseconds(100))
            #expect(channel.isActive)
            wait(.milliseconds(100))
            #expect(!channel.isActive)
        }
    }

    @Test("A connection without a request is closed at the first deadline")
    func firstHead() throws {
        let bench = try Bench()
        bench.expectEnd(after: .milliseconds(15_000))
    }

    @Test("An answered connection is kept longer for the next request")
    func nextHead() throws {
        let bench = try Bench()
        try bench.receiveHead()
        try bench.receive(.end(nil))
        bench.wait(.seconds(600))
        #expect(bench.channel.isActive, "the response is still pending")
        try bench.answer()
        bench.expectEnd(after: .milliseconds(75_000))
    }

    @Test("A connection whose answer announces its end is closed, whatever follows", arguments: [false, true])
    func announcedEnd(isPipelined: Bool) throws {
        let bench = try Bench()
        func receiveRequest() throws {
            try bench.receiveHead()
            try bench.receive(.end(nil))
        }
        func received() throws -> Int {
            var count = 0
            while try bench.channel.readInbound(as: HTTPServerRequestPart.self) != nil { count += 1 }
            return count
        }
        try receiveRequest()
        if isPipelined { try receiveRequest() }
        #expect(try received() == (isPipelined ? 4 : 2))
        try bench.answer(headers: ["connection": "Close"])
        try receiveRequest()
        #expect(try received() == 0, "it would not be answered")
        bench.expectEnd(after: .milliseconds(1_000))
    }

    @Test("A body that pauses for too long is cut off")
    func pause() throws {
        let bench = try Bench()
        try bench.receiveHead()
        try bench.receive(.body(ByteBuffer(repeating: 0, count: 100_000)))
        bench.expectEnd(after: .milliseconds(2_000))
    }

    @Test("A dripping body is cut off and a slow one is not", arguments: [(10, false), (2000, true)])
    func slowBody(_ size: Int, _ isAccepted: Bool) throws {
        let bench = try Bench()
        try bench.receiveHead()
        for _ in 0..<60 where bench.channel.isActive {
            try bench.receive(.body(ByteBuffer(repeating: 0, count: size)))
            bench.wait(.milliseconds(300))
        }
        #expect(bench.channel.isActive == isAccepted)
    }

    @Test("A client that sends requests without waiting for answers is disconnected")
    func pipelining() throws {
        let bench = try Bench()
        for _ in 1...HTTPLimits.pipelinedRequests {
            try bench.receiveHead()
            try bench.receive(.end(nil))
        }
        #expect(bench.channel.isActive)
        // One answer makes room for one request.
        try bench.answer()
        try bench.receiveHead()
        try bench.receive(.end(nil))
        #expect(bench.channel.isActive)
        try bench.receiveHead()
        #expect(!bench.channel.isActive)
    }

    @Test("A body larger than any route accepts is refused")
    func largeBody() throws {
        let bench = try Bench()
        try bench.receiveHead()
        try bench.receive(.body(ByteBuffer(repeating: 0, count: 1_000_000)))
        #expect(bench.channel.isActive)
        try bench.receive(.body(ByteBuffer(repeating: 0, count: 1)))
        #expect(try bench.status() == 413)
        #expect(!bench.channel.isActive)
    }

    @Test("A request needs exactly one Host header", arguments: [[], ["a.example", "b.example"]])
    func hosts(_ hosts: [String]) throws {
        let bench = try Bench()
        try bench.receiveHead(headers: HTTPHeaders(hosts.map { ("host", $0) }))
        #expect(try bench.status() == 400)
        #expect(!bench.channel.isActive)
    }

    @Test("A client that stops reading is disconnected")
    func stalledClient() throws {
        let bench = try Bench()
        try bench.receiveHead()
        try bench.receive(.end(nil))
        bench.channel.isWritable = false
        bench.channel.pipeline.fireChannelWritabilityChanged()
        bench.wait(.seconds(29))
        #expect(bench.channel.isActive)
        bench.channel.isWritable = true
        bench.channel.pipeline.fireChannelWritabilityChanged()
        bench.wait(.seconds(60))
        #expect(bench.channel.isActive, "it reads again")
        bench.channel.isWritable = false
        bench.channel.pipeline.fireChannelWritabilityChanged()
        bench.wait(.seconds(30))
        #expect(!bench.channel.isActive)
    }
}
