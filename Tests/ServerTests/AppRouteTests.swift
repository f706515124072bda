import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Tests the routes with which a member connects apps.
@Suite(.serialized, .endsHangs) struct AppRouteTests {
    private static func edited(_ headers: [String: String], _ tag: Any?) -> [String: String] {
        headers.merging(["If-Match": tag as? String ?? ""]) { $1 }
    }

    @Test("A member connects an app, sees its use and what it sent, and revokes it")
    func connectsAndRevokes() async throws {
        try await withServer(configure: { settings, _ in settings.networkName = "192.0.2.9" }) { server in
            let owner = try server.makeOwner()
            let made = try server.send("POST", "/api/v1/apps", headers: owner, json: #"{"name":"Ada's phone"}"#)
            #expect(made.status == 201, "\(made.text)")
            let path = try #require(made.string("path"))
            #expect(path.wholeMatch(of: /\/app\/[0-9a-z]{26}/) != nil)
            #expect(made.string("url") == "http://192.0.2.9\(path)", "a phone does not know localhost")
            #expect(made.string("qrCode")?.hasPrefix("<svg") ?? false)
            #expect(made["reachable"] as? Bool == true)
            #expect(made["app", "lastUsedAt"] is NSNull)

            let upload = try server.upload(
                "books:Emma", to: path + "/v3/jobs/scans", headers: ["X-Device-ID": "iPhone 12"])
            let job = try #require(upload["data", "jobId"] as? String)
            _ = try server.scan(["books:Dune"], headers: owner)
            let list = try server.send("GET", "/api/v1/apps", headers: owner)
            #expect(list["total"] as? Int == 1)
            #expect(list["items", "0", "devices", "0", "name"] as? String == "iPhone 12")
            #expect(list["items", "0", "lastUsedAt"] is String)
            let id = try #require(list["items", "0", "id"] as? String)
            let scans: Page<ScanStatus> = try server.get("/api/v1/scans?app=\(id)", headers: owner)
            #expect(scans.total == 1)
            #expect(scans.items.first?.id == job)
            #expect(!list.text.contains(path.dropFirst(5)), "the key is shown once")
            let stored = try String(contentsOf: server.folder.appending(path: "apps.json"), encoding: .utf8)
            #expect(!stored.contains(path.dropFirst(5)))

            #expect(try server.send("DELETE", "/api/v1/apps/\(id)", headers: owner).status == 204)
            #expect(try server.send("GET", path + "/scan/status?jobId=\(job)").string("code") == "wrong_app_key")
            #expect(try server.send("GET", "/api/v1/apps", headers: owner)["total"] as? Int == 0)
            #expect(try server.send("GET", "/api/v1/scans/\(job)", headers: owner).status == 200, "its scans stay")
        }
    }

    @Test("A member changes an app")
    func changesApp() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            func connect(_ name: String) throws -> Answer {
                try server.send("POST", "/api/v1/apps", headers: owner, json: #"{"name":"\#(name)"}"#)
            }
            let made = try connect("phone")
            #expect(made["reachable"] as? Bool == false, "the server accepts only this machine")
            #expect(try connect("phone").problem?.code == "name_taken")
            for name in ["", " ", "a\\u0007", String(repeating: "x", count: 65)] {
                #expect(try connect(name).status == 422, "\(name)")
            }
            #expect(try connect("tablet").status == 201)
            let path = "/api/v1/apps/\(try #require(made["app", "id"] as? String))"
            func change(_ json: String, _ tag: Any?) throws -> Answer {
                try server.send("PATCH", path, headers: Self.edited(owner, tag), json: json)
            }
            let tag = made["app", "etag"]
            let changed = try change(#"{"importsAtOnce":false,"generation":"older","name":"iPhone"}"#, tag)
            #expect(changed["importsAtOnce"] as? Bool == false)
            #expect(changed.string("generation") == "older")
            #expect(changed.string("name") == "iPhone")
            #expect(try change(#"{"importsAtOnce":true}"#, tag).problem?.code == "edit_conflict")
            #expect(try change(#"{"name":"tablet"}"#, changed["etag"]).problem?.code == "name_taken")
            #expect(try change(#"{"generation":"oldest"}"#, changed["etag"]).status == 400)
        }
    }

    @Test("Members see and revoke only their own apps")
    func ownAppsOnly() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let bea = try server.addMember("Bea", by: owner).session
            let made = try server.send("POST", "/api/v1/apps", headers: bea, json: #"{"name":"phone"}"#)
            let id = try #require(made["app", "id"] as? String)
            #expect(try server.send("GET", "/api/v1/apps", headers: owner)["total"] as? Int == 0)
            #expect(try server.send("DELETE", "/api/v1/apps/\(id)", headers: owner).status == 404)
            let change = try server.send(
                "PATCH", "/api/v1/apps/\(id)", headers: Self.edited(owner, "*"), json: #"{"importsAtOnce":false}"#)
            #expect(change.status == 404)
            let path = try #require(made.string("path"))
            _ = try server.upload("books:Emma", to: path + "/v3/jobs/scans")
            #expect(try server.get("/api/v1/scans?app=\(id)", headers: owner, as: Page<ScanStatus>.self).total == 0)
            #expect(try server.get("/api/v1/scans", headers: bea, as: Page<ScanStatus>.self).total == 1)
            #expect(try server.send("GET", "/api/v1/apps", headers: bea)["total"] as? Int == 1)
        }
    }

    @Test("A key from before there is an owner is in the first owner's list")
    func olderThanOwner() async throws {
        try await withServer { server in
            #expect(try server.send("POST", "/api/v1/apps", json: #"{"name":"phone"}"#).status == 201)
            #expect(try server.send("GET", "/api/v1/apps")["total"] as? Int == 1)
            let owner = try server.makeOwner()
            #expect(try server.send("GET", "/api/v1/apps", headers: owner)["total"] as? Int == 1)
            let bea = try server.addMember("Bea", role: "owner", by: owner).session
            #expect(try server.send("GET", "/api/v1/apps", headers: bea)["total"] as? Int == 0)
        }
    }
}
