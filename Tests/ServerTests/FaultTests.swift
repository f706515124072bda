import Fixtures
import Foundation
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

/// Tests interrupted connections and clock jumps.
@Suite(.serialized, .endsHangs) struct FaultTests {
    @Test("A request that arrives with the end of an event stream does not wait", arguments: [false, true])
    func requestAfterStream(isPipelined: Bool) async throws {
        // It would wait that long.
        try await withServer(configure: { settings, _ in settings.deadlines.nextHead = longestWait * 2 }) { server in
            let id = try server.finish(server.scan(["books:Emma"]))
            let stream = try Connection(port: server.port)
            let request = TestServer.request(
                "GET", "/api/v1/scans/\(id)/events",
                headers: ["Accept": "text/event-stream", "Connection": "keep-alive"])
            try stream.send(isPipelined ? request + request : request)
            let head = try stream.read(through: "\r\n\r\n")
            #expect(head.lowercased().contains("connection: close"))
            if !isPipelined { try stream.send(request) }
            _ = try stream.read(through: "event: completed")
            _ = try stream.readToEnd()
        }
    }

    /// A machine without a battery-backed clock starts in the past and is corrected later.
    @Test("A clock jump does not end sessions")
    func clockJump() async throws {
        try await withServer(date: Date(timeIntervalSince1970: 0)) { server in
            let owner = try server.makeOwner()
            let accepted = try server.scan(["books:Dune"], headers: owner).decode(ScanAccepted.self)
            let path = "/api/v1/scans/\(accepted.jobId)"
            let bearer = ["Authorization": "Bearer \(accepted.token)"]
            // The system clock is half a century ahead of the server's clock, but nothing has expired.
            #expect(try server.send("GET", path, headers: owner).status == 200)
            #expect(try server.send("GET", path, headers: bearer).status == 200)
            // Elapsed time does expire them.
            server.clock.advance(by: .seconds(26 * 3600))
            #expect(try server.send("GET", path, headers: bearer).status == 401)
            // The scan itself is deleted at that time.
            #expect(try server.send("GET", "/api/v1/library", headers: owner).status == 200)
            server.clock.advance(by: .seconds(366 * 86_400))
            #expect(try server.send("GET", path, headers: owner).status == 401)
        }
    }
}

@Suite(
    .enabled(if: SmallDisk.isPermitted, "mounting a tmpfs requires root on Linux"), .serialized, .endsHangs)
struct FullDiskServerTests {
    @Test("On a full disk access is revoked at once, the answer says that it is not stored, and it is stored later")
    func revokes() async throws {
        let disk = try SmallDisk(megabytes: 32)
        let folder = disk.folder.appending(path: "data")
        try await withServer(folder: folder) { server in
            let owner = try server.makeOwner()
            let (member, first) = try server.addMember("Bea", by: owner)
            let second = try server.cookie(
                server.send("POST", "/api/v1/session", json: #"{"name":"Bea","password":"a long password"}"#))
            let phone = try AppKeyBook(folder: folder).add("phone", member: member.id, at: server.now).secret
            let tablet = try AppKeyBook(folder: folder).add("tablet", member: nil, at: server.now).key.id
            // The owner has to confirm the next change.
            server.clock.advance(by: .seconds(16 * 60))
            try disk.fill(butFor: 0)
            func revoke(_ method: String, _ path: String, _ headers: [String: String], json: String? = nil) throws {
                let answer = try server.send(method, path, headers: headers, body: json.map { Array($0.utf8) })
                #expect([200, 204].contains(answer.status), "\(method) \(path): \(answer.text)")
                #expect(answer.headers["x-not-stored"] == "access", "\(method) \(path)")
            }
            let json = ["Content-Type": "application/json"]
            try revoke(
                "PUT", "/api/v1/session/password", first.merging(json) { $1 },
                json: #"{"current":"a long password","new":"battery staple"}"#)
            #expect(try server.send("GET", "/api/v1/library", headers: second).status == 401)
            #expect(try server.send("GET", "/app/\(phone)/scan/status?jobId=x").status == 403)
            #expect(try server.send("GET", "/api/v1/library", headers: first).headers["x-not-stored"] == nil)
            // Signing in works, too, so that access can be revoked.
            let again = try server.send(
                "POST", "/api/v1/session", json: #"{"name":"Bea","password":"battery staple"}"#)
            #expect(again.status == 200)
            try revoke("DELETE", "/api/v1/sessions", try server.cookie(again))
            #expect(try server.send("GET", "/api/v1/library", headers: first).status == 401)
            try revoke("DELETE", "/api/v1/session", try server.cookie(again))
            try revoke(
                "POST", "/api/v1/session/confirm", owner.merging(json) { $1 }, json: #"{"password":"correct horse"}"#)
            try revoke("DELETE", "/api/v1/members/\(member.id)", owner)
            try revoke("DELETE", "/api/v1/apps/\(tablet)", owner)
            let added = try server.send(
                "POST", "/api/v1/members", headers: owner,
                json: #"{"name":"Cleo","password":"a long password","role":"viewer"}"#)
            #expect(added.status == 507, "access is not given: \(added.text)")
            func stored(_ name: String) throws -> Bool {
                let file = try String(contentsOf: folder.appending(path: "accounts.json"), encoding: .utf8)
                return file.contains(name)
            }
            #expect(try stored("Bea"))

            try disk.empty()
            await server.clock.pass(.seconds(20))
            try await eventually { try !stored("Bea") }
            try await eventually { try AppKeyBook(folder: folder).keys().isEmpty }
            let left = try server.send(
                "PATCH", "/api/v1/members/\(member.id)", headers: owner.merging(json) { $1 }, body: Array("{}".utf8))
            #expect(left.status == 404 && left.headers["x-not-stored"] == nil)
        }
    }

    @Test("Lists and labels are read on a full disk")
    func reads() async throws {
        let disk = try SmallDisk(megabytes: 32)
        try await withServer(folder: disk.folder.appending(path: "data")) { server in
            let shelf = try server.addShelf().id
            _ = try server.finish(server.scan(["books:Dune|Emma"], fields: ["import": "true", "shelf": shelf]))
            try disk.fill(butFor: 0)
            // Until the room that the database has already is used.
            var status = 201
            for number in 0..<1000 where status == 201 {
                status = try server.send("POST", "/api/v1/library", json: #"{"title":"Book \#(number)"}"#).status
            }
            #expect(status == 507)
            for path in [
                "library?sort=shelf", "labels?kind=copy&shelf=\(shelf)", "labels?kind=spine&shelf=\(shelf)", "labels",
                "review", "shelves", "shelves/\(shelf)/audit", "shelves/\(shelf)/spines",
            ] {
                let answer = try server.send("GET", "/api/v1/\(path)")
                #expect(answer.status == 200, "\(path): \(answer.text)")
            }
        }
    }

    @Test("A full disk refuses new photos and loses none")
    func fullDisk() async throws {
        let disk = try SmallDisk(megabytes: 64)
        try await withServer(folder: disk.folder.appending(path: "data")) { server in
            let done = try server.finish(server.scan(["books:Dune"], fields: ["import": "true"]))
            // This one is being read when the disk fills up.
            let waiting = try server.scan(["wait:Emma"], fields: ["import": "true"]).decode(ScanAccepted.self).jobId
            try await ScanRouteTests.waitUntilReading(photo: 1, of: waiting, server)

            try disk.fill(butFor: 100_000)
            let large = try server.scan(["books:" + String(repeating: "x", count: 1_000_000)])
            #expect(large.status == 507)
            #expect(large.problem?.code == "disk_full")
            #expect(large.problem?.retryable == true)
            try disk.fill(butFor: 0, named: "rest")
            let small = try server.scan(["books:Ulysses"])
            #expect(small.status == 507, "\(small.text)")
            #expect(small.problem?.code == "disk_full")
            let book = try server.send("POST", "/api/v1/library", json: #"{"title":"Ulysses"}"#)
            #expect(book.status == 507, "\(book.text)")
            let incoming = server.folder.appending(path: "jobs/incoming").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
            #expect(try server.get("/api/v1/scans", as: Page<ScanStatus>.self).total == 2)
            #expect(try server.results(of: done).summary.books == 1)
            let ready = try server.send("GET", "/ready")
            #expect(ready.status == 503)
            #expect(ready.text.contains("Disk full") && !ready.text.contains(disk.folder.path), "\(ready.text)")
            server.reader.release()
            try await eventually { try await server.jobs.runner.counts().photosReading == 0 }
            #expect(try server.status(of: waiting).status == .running)

            try disk.empty()
            try await server.jobs.sweep()
            #expect(try server.events(of: waiting, token: "").last?.type == "completed")
            #expect(try server.books().total == 2)
            #expect(try server.scan(["books:Ulysses"]).status == 202)
            #expect(try server.send("GET", "/ready").status == 200)
        }
    }

    @Test("A photo that the disk cannot read says so, and health checks and metrics count it")
    func unreadablePhoto() async throws {
        try await withServer { server in
            await server.jobs.runner.hold()
            // One that does not import is canceled when no client follows it for a day.
            let id = try server.scan(["books:Emma"], fields: ["import": "true"]).decode(ScanAccepted.self).jobId
            let file = server.folder.appending(path: "jobs/\(id)/1")
            try FileManager.default.removeItem(at: file)
            // A read of a folder fails, as one of a broken disk does.
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            try await server.jobs.runner.release()
            try await eventually { try await server.jobs.runner.counts().photosReading == 0 }
            #expect(try server.send("GET", "/ready").text.contains("\"status\":\"ok\""))

            try await server.jobs.sweep()
            server.clock.advance(by: .seconds(300))
            try await eventually {
                try await server.jobs.sweep()
                return try server.status(of: id).photos.contains { $0.photo.problem != nil }
            }
            let reason = "The server's disk could not read this photo. It tries again every minute."
            let status = try server.status(of: id)
            #expect(status.message == reason && status.stage == .analyzing)
            #expect(status.photos.map(\.photo.problem?.code) == ["disk_failed"])
            let ready = try server.send("GET", "/ready")
            #expect(ready.status == 200)
            #expect(ready.text.contains("degraded") && ready.text.contains("Photos wait for the disk"), "\(ready.text)")
            #expect(!ready.text.contains(server.folder.path))
            let metrics = try server.send("GET", "/metrics").text
            #expect(metrics.contains("shelflist_photos_waiting_for_disk 1.0"))
            #expect(try server.send("POST", "/api/v1/scans/\(id)/photos/1/retry").status == 202)

            server.clock.advance(by: .seconds(24 * 3600))
            // A sweep leaves out a photo that is being tried.
            try await eventually {
                try await server.jobs.sweep()
                return try server.status(of: id).status == .failed
            }
            #expect(try server.send("GET", "/metrics").text.contains("shelflist_photos_total{outcome=\"failed\"} 1.0"))
            #expect(try server.send("GET", "/ready").text.contains("\"status\":\"ok\""))
        }
    }
}
