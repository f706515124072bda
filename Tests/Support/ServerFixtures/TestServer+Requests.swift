import Foundation
import ReadingFixtures
package import ShelflistAPI

/// Requests that many tests send, with typed answers.
extension TestServer {
    package func get<Value: Decodable>(
        _ path: String, headers: [String: String] = [:], as type: Value.Type = Value.self
    ) throws -> Value {
        try send("GET", path, headers: headers).decode()
    }

    // MARK: Scans

    /// Uploads scripts as photos; their books are added only if `fields` has `import`.
    package func scan(
        _ scripts: [String], fields: [String: String] = [:], headers: [String: String] = [:],
        path: String = "/api/v1/scans", part: String = "photo"
    ) throws -> Answer {
        try scan(
            photos: scripts.map { ScriptedReader.bytes($0) }, fields: fields, headers: headers, path: path, part: part)
    }

    package func scan(
        photos: [[UInt8]], fields: [String: String] = [:], headers: [String: String] = [:],
        path: String = "/api/v1/scans", part: String = "photo", name: String? = nil
    ) throws -> Answer {
        // A photo of the older apps has no such field.
        let own = path == "/api/v1/scans" ? ["import": "false"] : [:]
        return try send(
            "POST", path, headers: headers.merging(["Content-Type": Form.contentType]) { mine, _ in mine },
            body: Form.body(photos: photos, fields: own.merging(fields) { $1 }, part: part, name: name))
    }

    /// Uploads one script as the body of a request, as the older apps do.
    package func upload(_ script: String, to path: String, headers: [String: String] = [:]) throws -> Answer {
        try send(
            "POST", path, headers: headers.merging(["Content-Type": "image/jpeg"]) { mine, _ in mine },
            body: ScriptedReader.bytes(script))
    }

    /// Waits until the photos of an accepted upload have been read.
    ///
    /// - Returns: the job's identifier.
    package func finish(_ accepted: Answer) throws -> String {
        let accepted = try accepted.decode(ScanAccepted.self, status: 202)
        _ = try events(of: accepted.jobId, token: accepted.token)
        return accepted.jobId
    }

    package func status(of job: String, headers: [String: String] = [:]) throws -> ScanStatus {
        try get("/api/v1/scans/\(job)", headers: headers)
    }

    package func results(of job: String) throws -> ScanResults { try get("/api/v1/scans/\(job)/results") }

    /// Reads a job's event stream to its end.
    package func events(of job: String, token: String, lastEventID: Int? = nil) throws -> [Event] {
        let connection = try Connection(port: port)
        var headers = ["Accept": "text/event-stream", "Authorization": "Bearer \(token)"]
        if let lastEventID { headers["Last-Event-ID"] = "\(lastEventID)" }
        try connection.send(Self.request("GET", "/api/v1/scans/\(job)/events", headers: headers))
        return Event.list(try connection.answer().text)
    }

    package struct Event: Equatable {
        package var id: Int?
        package var type: String
        package var data: String

        package static func list(_ text: String) -> [Event] {
            text.components(separatedBy: "\n\n").compactMap { block in
                var event = Event(id: nil, type: "", data: "")
                for line in block.split(separator: "\n") {
                    if line.hasPrefix("id: ") { event.id = Int(line.dropFirst(4)) }
                    if line.hasPrefix("event: ") { event.type = String(line.dropFirst(7)) }
                    if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
                }
                return event.type.isEmpty ? nil : event
            }
        }
    }

    // MARK: Library

    /// - Parameter query: with its question mark.
    package func books(_ query: String = "", headers: [String: String] = [:]) throws -> Page<LibraryBook> {
        try get("/api/v1/library\(query)", headers: headers)
    }

    package func book(_ id: String) throws -> LibraryBook { try get("/api/v1/library/\(id)") }

    /// - Parameter json: a `NewBook` that the library does not have.
    package func addBook(_ json: String) throws -> LibraryBook {
        try send("POST", "/api/v1/library", json: json).decode(status: 201)
    }

    package func addShelf(_ name: String = "Hall") throws -> LibraryShelf {
        try send("POST", "/api/v1/shelves", json: #"{"name":"\#(name)"}"#).decode(status: 201)
    }

    /// - Parameter query: with its question mark.
    package func reviewQueue(_ query: String = "", headers: [String: String] = [:]) throws -> ReviewQueuePage {
        try get("/api/v1/review\(query)", headers: headers)
    }

    package func reviewCounts() throws -> ReviewQueueCounts { try get("/api/v1/review/counts") }

    /// - Parameter query: with its question mark.
    package func duplicates(_ query: String = "") throws -> Page<PossibleDuplicate> {
        try get("/api/v1/duplicates\(query)")
    }

    package func decide(_ question: PossibleDuplicate, _ decision: DuplicateDecision) throws -> ActionOutcome {
        try send(
            "POST", "/api/v1/duplicates/decide",
            json: #"{"ids":["\#(question.id)"],"decision":"\#(decision.rawValue)"}"#
        ).decode(status: 200)
    }

    /// Adds the books of a job to the library.
    package func importBooks(of job: String) throws -> ScanImportOutcome {
        try send("POST", "/api/v1/scans/\(job)/import", json: "{}").decode()
    }

    /// Undoes the change that returned the token; without one, the server refuses.
    package func undo(_ token: String?) throws -> Answer {
        try send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(token ?? "")"}"#)
    }

    // MARK: Settings

    /// Changes the latest version of the settings.
    package func changeSettings(_ json: String, headers: [String: String] = [:]) throws -> Answer {
        let tag = try send("GET", "/api/v1/settings", headers: headers).headers["etag"] ?? ""
        return try send("PATCH", "/api/v1/settings", headers: headers.merging(["If-Match": tag]) { $1 }, json: json)
    }

    // MARK: Accounts

    /// Creates the owner with the setup code, as from another machine.
    ///
    /// - Parameter base: the path at which clients reach the server.
    package func setUp(base: String = "", headers: [String: String] = [:]) throws -> Answer {
        try send(
            "POST", "\(base)/api/v1/setup", headers: headers,
            json: #"{"name":"Ada","password":"correct horse","role":"owner","code":"\#(setupCode)"}"#)
    }

    /// Creates the owner.
    ///
    /// - Returns: the session cookie, as a header.
    package func makeOwner() throws -> [String: String] {
        try cookie(
            send("POST", "/api/v1/setup", json: #"{"name":"Ada","password":"correct horse","role":"owner"}"#))
    }

    package func cookie(_ answer: Answer) throws -> [String: String] {
        let cookies = answer.headers["set-cookie"]?.split(separator: ", ").map { $0.prefix { $0 != ";" } } ?? []
        guard let cookie = cookies.first(where: { $0.contains("session=") }) ?? cookies.first else {
            throw Answer.Unexpected(answer: answer, reason: "It sets no cookie.")
        }
        return ["Cookie": String(cookie)]
    }

    /// The cookie by which the browser is known after it has signed out, as a header.
    package func browserCookie(_ answer: Answer) throws -> [String: String] {
        let cookies = answer.headers["set-cookie"]?.split(separator: ", ").map { $0.prefix { $0 != ";" } } ?? []
        guard let cookie = cookies.first(where: { $0.contains("shelflist_browser=") }) else {
            throw Answer.Unexpected(answer: answer, reason: "It sets no cookie for the browser.")
        }
        return ["Cookie": String(cookie)]
    }

    /// - Parameter owner: the session of an owner.
    package func addMember(
        _ name: String, role: String = "editor", by owner: [String: String]
    ) throws -> (member: Member, session: [String: String]) {
        let account = #"{"name":"\#(name)","password":"a long password","role":"\#(role)"}"#
        let member = try send("POST", "/api/v1/members", headers: owner, json: account)
            .decode(Member.self, status: 201)
        return (member, try cookie(send("POST", "/api/v1/session", json: account)))
    }

    /// Creates an access token.
    ///
    /// - Returns: the token, as a header.
    package func addToken(_ scopes: [String], by member: [String: String]) throws -> [String: String] {
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        let made = try send(
            "POST", "/api/v1/tokens", headers: member, json: #"{"name":"script","scopes":[\#(list)]}"#)
        guard let secret = made.string("secret") else {
            throw Answer.Unexpected(answer: made, reason: "It has no secret.")
        }
        return ["Authorization": "Bearer \(secret)"]
    }
}
