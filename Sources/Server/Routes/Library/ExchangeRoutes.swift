import Bibliography
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Library
import NIOCore
import Scanning
import WireProtocol

/// Lists in, lists and backups out.
struct ExchangeRoutes: Sendable {
    let library: LibraryStore
    let imports: ListImports

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/imports", needs: .editor, costs: .work, upload)
        table.add(.get, "api/v1/imports/:import", needs: .editor, show)
        table.add(.delete, "api/v1/imports/:import", needs: .editor, cancel)
        table.add(.post, "api/v1/imports/:import/start", needs: .editor, costs: .work, start)
        table.add(.get, "api/v1/export", needs: .viewer, costs: .work, export)
        table.add(.get, "api/v1/backup", needs: .owner, costs: .work, backup)
    }

    // MARK: In

    @Sendable private func upload(_ request: Request, _ context: AppContext) async throws -> Response {
        let type = request.headers[.contentType].map(HeaderParameters.init)
        let file: (name: String, bytes: [UInt8])
        switch type?.value.lowercased() {
        case "multipart/form-data": file = try await Self.form(request)
        case "text/csv", "text/plain", "application/octet-stream":
            let name = request.headers[.fileName]?.removingPercentEncoding.flatMap(FileNames.shown) ?? "books.csv"
            file = (name, try await request.bytes(limit: ListImports.maxBytes))
        default: throw Problem.unsupportedMediaType("multipart/form-data with the part 'file', or text/csv")
        }
        guard !file.bytes.isEmpty else { throw Problem.badRequest("The file is empty. Choose another.", field: "file") }
        let state = await imports.add(file.bytes, name: file.name)
        return try .json(
            FileImportMessage(state), status: .created, headers: [.location: "/api/v1/imports/\(state.id)"])
    }

    private static func form(_ request: Request) async throws -> (String, [UInt8]) {
        var parser = try MultipartParser(contentType: request.headers[.contentType] ?? "")
        var (name, isFile) = ("books.csv", false)
        var bytes: [UInt8] = []
        var received = 0
        for try await buffer in request.body {
            received += buffer.readableBytes
            guard received <= ListImports.maxBytes + 10_000 else { throw Problem.bodyTooLarge(limit: ListImports.maxBytes) }
            for event in try parser.receive(buffer.readableBytesView) {
                switch event {
                case .part(let header):
                    isFile = header.name == "file"
                    if isFile { name = header.fileName.flatMap(FileNames.shown) ?? name }
                case .body(let piece): if isFile { bytes += piece }
                case .endOfPart: isFile = false
                }
            }
        }
        try parser.finish()
        return (name, bytes)
    }

    private func state(_ context: AppContext) async throws -> ListImports.State {
        guard let id = context.parameters.get("import"), let state = await imports.state(id) else {
            throw Problem.notFound
        }
        return state
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        try .json(FileImportMessage(try await state(context)))
    }

    @Sendable private func start(_ request: Request, _ context: AppContext) async throws -> Response {
        let known = try await state(context)
        let hasBody = request.headers[.contentType] != nil
        let wanted = hasBody ? try await request.json(StartImportMessage.self) : StartImportMessage()
        let policy: DuplicateDecision =
            switch wanted.duplicates ?? "skip" {
            case "skip": .skip
            case "addCopy": .addCopy
            default: throw Problem.invalidField("duplicates", "'duplicates' has to be skip or addCopy.")
            }
        guard let state = await imports.start(known.id, duplicates: policy) else { throw Problem.notFound }
        return try .json(FileImportMessage(state), status: .accepted)
    }

    @Sendable private func cancel(_ request: Request, _ context: AppContext) async throws -> Response {
        await imports.remove(context.parameters.get("import") ?? "")
        return .noContent
    }

    // MARK: Out

    private enum Format: String, CaseIterable { case csv, goodreads, json, bibtex }

    @Sendable private func export(_ request: Request, _ context: AppContext) async throws -> Response {
        let format = try Query(request).choice("format", Format.self) ?? .csv
        let (kind, type, ending): (ExportFormat, String, String) =
            switch format {
            case .csv: (.csv, "text/csv; charset=utf-8", "csv")
            case .goodreads: (.goodreads, "text/csv; charset=utf-8", "csv")
            case .json: (.json, "application/json", "json")
            case .bibtex: (.bibtex, "application/x-bibtex; charset=utf-8", "bib")
            }
        let text = try await library.exported(kind)
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"shelflist.\(ending)\"",
            ], body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    @Sendable private func backup(_ request: Request, _ context: AppContext) async throws -> Response {
        let file = library.folder.url.appending(path: ".download-\(UUID().uuidString).tar")
        try await library.backUp(to: file)
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: file)
        } catch {
            unlink(file.path)
            throw error
        }
        // The name goes at once; the content stays until the download is over.
        unlink(file.path)
        let size = Int(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        let body = ResponseBody(contentLength: size) { writer in
            defer { try? handle.close() }
            while let piece = try handle.read(upToCount: 256 * 1024), !piece.isEmpty {
                try await writer.write(ByteBuffer(bytes: piece))
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/x-tar", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"shelflist-backup.tar\"",
            ], body: body)
    }
}

/// Imports of lists: one file each, run when the person says so.
actor ListImports {
    static let maxBytes = 50_000_000
    /// Files that wait or are done; older ones are forgotten.
    private static let kept = 20

    struct State: Sendable {
        var id: String
        var name: String
        var status = Status.uploaded
        var rows = 0
        var done = 0
        var report: ListImportReport?
        var problem: String?

        enum Status: String, Sendable { case uploaded, running, completed, failed, canceled }
    }

    private let library: LibraryStore
    private let enrich: BookEnricher?
    private var states: [State] = []
    private var files: [String: [UInt8]] = [:]
    private var running: [String: Task<Void, Never>] = [:]

    init(library: LibraryStore, sources: [any MatchSource]) {
        self.library = library
        enrich = sources.isEmpty ? nil : ListEnricher(sources: sources).record
    }

    func add(_ bytes: [UInt8], name: String) -> State {
        let state = State(id: UUID().uuidString.lowercased(), name: name)
        states.append(state)
        files[state.id] = bytes
        while states.count > Self.kept, let oldest = states.first(where: { running[$0.id] == nil }) {
            states.removeAll { $0.id == oldest.id }
            files[oldest.id] = nil
        }
        return state
    }

    func state(_ id: String) -> State? { states.first { $0.id == id } }

    /// - Returns: the state; an import that was started already goes on.
    func start(_ id: String, duplicates: DuplicateDecision) -> State? {
        guard let state = state(id) else { return nil }
        guard running[id] == nil, state.status != .completed, let file = files[id] else { return state }
        change(id) { $0.status = .running }
        let (library, enrich) = (library, enrich)
        running[id] = Task {
            do {
                let report = try await library.importBooks(
                    file, name: state.name, duplicates: duplicates, enrich: enrich
                ) { done, rows in Task { await self.progress(id, done: done, rows: rows) } }
                self.finish(id, .completed, report: report)
            } catch is CancellationError {
                self.finish(id, .canceled)
            } catch {
                self.finish(id, .failed, problem: "\(error)")
            }
        }
        return self.state(id)
    }

    func remove(_ id: String) {
        running[id]?.cancel()
        running[id] = nil
        files[id] = nil
        states.removeAll { $0.id == id }
    }

    private func progress(_ id: String, done: Int, rows: Int) {
        change(id) { state in
            guard state.status == .running else { return }
            state.done = max(state.done, done)
            state.rows = rows
        }
    }

    private func finish(_ id: String, _ status: State.Status, report: ListImportReport? = nil, problem: String? = nil) {
        running[id] = nil
        if status == .completed { files[id] = nil }
        change(id) { state in
            state.status = status
            state.report = report
            state.problem = problem
            if status == .completed { state.done = state.rows }
        }
    }

    private func change(_ id: String, _ body: (inout State) -> Void) {
        if let index = states.firstIndex(where: { $0.id == id }) { body(&states[index]) }
    }
}

/// Looks rows of lists up: by ISBN, else by title, where title and author agree.
struct ListEnricher: Sendable {
    let sources: [any MatchSource]

    func record(for book: BookDetails) async throws -> Record? {
        let search = MatchSearch(sources)
        let results: MatchResults
        if let isbn = book.isbn {
            results = await search.results(for: isbn.isbn13, in: .isbn, limit: 3)
        } else {
            results = await search.results(for: book.title, in: .title, limit: 10)
        }
        if results.offers.isEmpty, results.failures.count == sources.count, !sources.isEmpty {
            throw Problem(
                "unavailable", status: 503, title: "No catalog", detail: "No catalog could be asked.", retryable: true)
        }
        if book.isbn != nil { return results.offers.first?.record }
        let title = TextNormalisation.fold(book.title)
        let names = Set(book.authors.flatMap { TextNormalisation.words($0.name) }.filter { $0.count > 2 })
        return results.offers.map(\.record).first { record in
            TextNormalisation.fold(record.title) == title
                && (names.isEmpty || !names.isDisjoint(with: record.authors.flatMap(TextNormalisation.words)))
        }
    }
}

private struct StartImportMessage: Decodable {
    var duplicates: String?

    init() {}
}

private struct FileImportMessage: Encodable {
    struct FailedRow: Encodable {
        var line: Int
        var reason: String
    }

    var id: String
    var name: String
    var status: String
    var format: String?
    var rows: Int
    var done: Int
    var added: Int
    var skipped: Int
    var toReview: Int
    var failedRows: [FailedRow]
    var problem: String?

    init(_ state: ListImports.State) {
        (id, name, status, rows, done) = (state.id, state.name, state.status.rawValue, state.rows, state.done)
        let report = state.report
        format = report?.format.rawValue
        added = report?.added ?? 0
        skipped = (report?.duplicates ?? 0) + (report?.alreadyImported ?? 0)
        toReview = report?.failedEnrichments ?? 0
        failedRows = (report?.problems ?? []).prefix(1000).map { FailedRow(line: $0.line, reason: $0.reason) }
        problem = state.problem
    }
}
