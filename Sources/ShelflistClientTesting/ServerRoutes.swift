import Bibliography
import Foundation
import ShelflistAPI
import ShelflistClient

/// An answer of a server in memory.
struct RouteAnswer {
    var status = 200
    var body = Data()
    var type = "application/json"
    /// The job whose photos are read next.
    var startsReading: String?

    static func json(_ value: some Encodable, status: Int = 200) throws -> RouteAnswer {
        RouteAnswer(status: status, body: try WireJSON.encode(value))
    }
}

extension ServerState {
    /// - Throws: `Problem`.
    mutating func answer(_ call: RouteCall) throws -> RouteAnswer {
        let path = Array(call.path.dropFirst(2))
        switch path.first {
        case "about": return try .json(Self.about)
        case "session": return try .json(Self.session)
        case "changes": return try .json(LibraryVersion(version: "\(version)"))
        case "search": return try .json(search(call))
        case "undo":
            let wanted: [String: String] = try call.json()
            return try .json(try undo(wanted["undoToken"] ?? ""))
        case "scans": return try scans(call, Array(path.dropFirst()))
        case "review": return try review(call, Array(path.dropFirst()))
        case "detections" where path.count >= 2: return try detection(call, path[1], path.dropFirst(2).first)
        case "library": return try library(call, Array(path.dropFirst()))
        case "shelves": return try shelves(call, Array(path.dropFirst()))
        default: throw Problem.noSuchRoute
        }
    }

    private static let about = AboutServer(
        version: "0.1.0", commit: nil,
        limits: .init(
            photoBytes: 40_000_000, photoPixels: 100_000_000, photosPerJob: 5, jobsInFlight: 3, requestsPerMinute: 600,
            resultHours: 24))

    private static let session = SessionState(
        setupNeeded: true, signedIn: true, member: nil, confirmed: true, via: "machine", openId: nil)

    private func search(_ call: RouteCall) throws -> SearchResults {
        let text = call.query["q"]?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !text.isEmpty else {
            throw Problem(
                "invalid_field", status: 400, title: "Invalid value",
                detail: "The query has no search text. Send it as ?q=…", field: "q")
        }
        let scope = call.query["scope"].flatMap(SearchScope.init) ?? .all
        let words = text.lowercased().split(separator: " ")
        let found = records.filter { record in
            let fields =
                switch scope {
                case .all: [record.title, record.isbn ?? ""] + record.authors
                case .title: [record.title]
                case .author: record.authors
                case .isbn: [record.isbn ?? ""]
                }
            let line = fields.joined(separator: " ").lowercased()
            return words.allSatisfy { line.contains($0) }
        }
        let isLocal = call.query["in"] != "providers"
        return SearchResults(
            items: isLocal ? Array(found.prefix(call.query["limit"].flatMap { Int($0) } ?? 50)) : [],
            sources: isLocal ? [.init(source: "local", state: "ok", count: found.count)] : [])
    }

    // MARK: Scans

    private mutating func scans(_ call: RouteCall, _ path: [String]) throws -> RouteAnswer {
        guard let id = path.first else {
            if call.method == "POST" { return try create(call) }
            let all = jobs.values.map(\.status).sorted { $0.createdAt > $1.createdAt }
            return try .json(call.page(call.query["active"] == "true" ? all.filter { !$0.status.isFinal } : all))
        }
        guard let job = jobs[id] else {
            if call.method == "DELETE", path.count == 1 { return RouteAnswer(status: 204) }
            throw Problem.notFound
        }
        switch (call.method, path.dropFirst().first) {
        case ("GET", nil): return try .json(job.status)
        case ("DELETE", nil):
            job.followers.values.forEach { $0.finish() }
            jobs[id] = nil
            return RouteAnswer(status: 204)
        case ("GET", "results"): return try .json(results(of: job))
        case ("GET", "events"):
            let after = call.query["after"].flatMap { Int($0) } ?? 0
            let events = Array(job.events.dropFirst(after))
            let last = events.last?.id ?? after
            let isDone = job.status.status.isFinal && last >= job.events.count
            return try .json(EventPage(events: events, lastEventId: last, done: isDone))
        case ("POST", "finish"):
            var closed = job
            closed.status.photos.removeAll { $0.photo.status == .missing }
            closed.status.photosExpected = closed.status.photos.count
            jobs[id] = closed
            var answer = try RouteAnswer.json(closed.status)
            answer.startsReading = id
            return answer
        case ("PUT", "photos"): return try add(call, photo: path.last.flatMap { Int($0) } ?? 0, to: id)
        case ("POST", "import"): return try add(call, from: id)
        case ("PATCH", "books"): return try change(call, path.last ?? "", of: id)
        default: throw Problem.noSuchRoute
        }
    }

    private mutating func create(_ call: RouteCall) throws -> RouteAnswer {
        let key = call.headers["Idempotency-Key"]
        if let key, let known = jobs.values.first(where: { $0.key == key }) {
            return try .json(ScanAccepted(job: known.status, token: "token", expiresAt: Date()))
        }
        let fields = Self.formFields(call.body)
        let expected = fields["expected"].flatMap { Int($0) } ?? 0
        guard (1...5).contains(expected) else {
            throw Problem(
                "too_many_photos", status: 413, title: "Too many photos",
                detail: "A scan has at most 5 photos. Send the others in another scan.", limit: 5)
        }
        let options = JobOptions(
            threshold: fields["threshold"].flatMap { Double($0) }, importsResults: fields["import"] != "false",
            shelf: fields["shelf"])
        let id = "job-\(number())"
        var job = StoredJob(
            status: ScanStatus(
                id: id, status: .queued, photosExpected: expected, options: options, createdAt: Date()))
        job.key = key
        job.status.photos = (1...expected).map {
            ScanPhoto(JobPhoto(index: $0, status: .missing), of: JobURLs(id))
        }
        job.emit(
            .progress(.init(stage: .uploading, progress: 0.1, message: "Waiting for \(expected) photos.")))
        jobs[id] = job
        return try .json(ScanAccepted(job: job.status, token: "token", expiresAt: Date()), status: 202)
    }

    /// Returns the texts of a form.
    private static func formFields(_ body: Data) -> [String: String] {
        let text = String(decoding: body, as: UTF8.self)
        var fields: [String: String] = [:]
        for part in text.components(separatedBy: "name=\"").dropFirst() {
            guard let end = part.firstIndex(of: "\""), let start = part.firstRange(of: "\r\n\r\n") else { continue }
            fields[String(part[..<end])] = part[start.upperBound...].components(separatedBy: "\r\n--").first
        }
        return fields
    }

    private mutating func add(_ call: RouteCall, photo number: Int, to id: String) throws -> RouteAnswer {
        guard var job = jobs[id], let index = job.status.photos.firstIndex(where: { $0.photo.index == number }) else {
            throw Problem.notFound
        }
        guard call.body.starts(with: InMemoryServer.photoMark) else { throw Problem.notAPhoto }
        guard job.status.photos[index].photo.status == .missing else {
            guard job.photos[number] == call.body else {
                throw Problem(
                    "photo_exists", status: 409, title: "Photo not accepted",
                    detail: "The scan has another photo \(number). Use another number.")
            }
            return try .json(job.status.photos[index])
        }
        job.photos[number] = call.body
        job.set(.queued, number)
        let message = "Received photo \(number) of \(job.status.photosExpected)."
        job.emit(
            .progress(
                .init(stage: job.status.stage, progress: job.status.progress, message: message, photo: number)))
        jobs[id] = job
        var answer = try RouteAnswer.json(job.status.photos[index], status: 202)
        answer.startsReading = id
        return answer
    }

    private mutating func add(_ call: RouteCall, from id: String) throws -> RouteAnswer {
        guard var job = jobs[id] else { throw Problem.notFound }
        let wanted: ScanImportRequest = try call.json()
        let books = job.books.filter { book in
            (wanted.books?.contains(book.id) ?? true) && book.book.confidence >= (wanted.minConfidence ?? 0)
                && job.copies[book.id] == nil
        }
        importBooks(books, into: &job)
        jobs[id] = job
        var outcome = ScanImportOutcome()
        outcome.imported = books.compactMap { book in
            guard let entry = job.copies[book.id], let stored = self.books[entry] else { return nil }
            return .init(
                bookId: book.id, entryId: entry, detectionId: stored.item.id,
                reviewStatus: stored.book.reviewStatus.rawValue)
        }
        outcome.undoToken = job.undoToken
        return try .json(outcome)
    }

    private mutating func change(_ call: RouteCall, _ book: String, of id: String) throws -> RouteAnswer {
        guard let job = jobs[id], job.books.contains(where: { $0.id == book }) else { throw Problem.notFound }
        let change: ScanBookChange = try call.json()
        var edit = BookCorrection(
            title: change.title ?? change.record?.title, authors: change.authors ?? change.record?.authors)
        edit.isbn = change.record?.isbn.map { .set($0) } ?? change.isbn
        var token: String?
        if let entry = job.copies[book] {
            guard books[entry] != nil else { throw Problem.notPossible }
            if change.rejected == true { jobs[id]?.rejected.insert(book) }
            token =
                act(on: [entry]) { stored in
                    if change.rejected == true { return false }
                    stored.correct(edit)
                    return true
                }.undoToken
        } else {
            if change.rejected == true { jobs[id]?.rejected.insert(book) }
            if edit != BookCorrection() { jobs[id]?.edits[book] = edit }
        }
        guard let changed = jobs[id].map(results)?.books.first(where: { $0.id == book }) else {
            throw Problem.notFound
        }
        return try .json(ChangedScanBook(book: changed, undoToken: token))
    }
}
