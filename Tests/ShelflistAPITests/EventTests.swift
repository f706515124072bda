import Foundation
import Testing
import ShelflistAPI

@Suite struct EventTests {
    @Test("Every event is decoded as it was encoded")
    func roundTrip() throws {
        let event = EventMessage(
            id: 7, jobId: "j", time: Date(timeIntervalSince1970: 1_700_000_000.25),
            data: .progress(ProgressData(stage: "analyzing", progress: 0.3, message: "Reading.", photo: 1)))
        let data = try WireJSON.encode(event)
        let read: EventMessage = try WireJSON.decode(from: data)
        #expect(read.id == 7)
        #expect(read.time == event.time)
        guard case .progress(let progress) = read.data else {
            Issue.record("another type was read")
            return
        }
        #expect(progress.message == "Reading.")
        #expect(try WireJSON.encode(read) == data)
    }

    @Test("Unknown types are preserved")
    func unknownTypes() throws {
        let json = #"{"id":1,"jobId":"j","type":"sparkle","time":"2026-11-21T07:00:00Z","data":{"x":1}}"#
        let read: EventMessage = try WireJSON.decode(from: Data(json.utf8))
        #expect(read.type == "sparkle")
    }

    @Test("A missing value is encoded as null")
    func missingValues() throws {
        let match = BookMatch(title: "Dune", confidence: 1, source: "local")
        let text = String(decoding: try WireJSON.encode(match), as: UTF8.self)
        #expect(text.contains(#""author":null"#))
        let read: BookMatch = try WireJSON.decode(
            from: Data(#"{"title":"Dune","confidence":1,"source":"local"}"#.utf8))
        #expect(read == match)
    }

    @Test("A stream event has its number, type and data")
    func streamEvent() {
        let text = ServerSentEvents.event(id: 3, type: "result", data: Data("{}".utf8))
        #expect(String(decoding: text, as: UTF8.self) == "id: 3\nevent: result\ndata: {}\n\n")
    }
}
