import ClientInput
import Concurrency
import DelimitedText
import Foundation
import HTTPTypes
import Hummingbird
import Library
import NIOCore
import ShelflistAPI

/// The routes for importing lists, and for backups.
struct ExchangeRoutes: Sendable {
    let library: LibraryStore
    let imports: ListImports
    let audit: AccessRecord

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/imports", needs: .editor, costs: .work, upload)
        table.add(.get, "api/v1/imports/:import", needs: .editor) { _, context in
            try job(context).message
        }
        table.add(.delete, "api/v1/imports/:import", needs: .editor) { _, context -> HTTPResponse.Status in
            imports.cancel(try context.parameters.require("import"))
            return .noContent
        }
        table.add(.post, "api/v1/imports/:import/start", needs: .editor, costs: .work, start)
        table.add(.get, "api/v1/backup", needs: .owner.confirmed, costs: .work, backup)
    }

    // MARK: Import

    private func upload(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let file: (name: String, bytes: [UInt8])
        switch request.mediaType {
        case "multipart/form-data": file = try await Self.form(request)
        case "text/csv", "text/plain", "application/octet-stream":
            let name = request.headers[.fileName]?.removingPercentEncoding.flatMap(FileNames.shown) ?? "books.csv"
            file = (name, try await request.bytes(limit: BookListPreview.byteLimit))
        default: throw Problem.unsupportedMediaType("multipart/form-data with the part 'file', or text/csv")
        }
        let encoding = try Self.encoding(Query(request))
        // A large list takes a second, and seconds where many are read at a time.
        let preview = try await BlockingExecutor.lists.run { try BookListPreview(file.bytes, encoding: encoding) }
        let message = imports.add(file.bytes, name: file.name, preview: preview, encoding: encoding)
        return message.created(at: "/api/v1/imports/\(message.id)")
    }

    private static func encoding(_ query: Query) throws -> TextEncoding? {
        guard let name = try query.text("encoding", maxLength: 40) else { return nil }
        guard let encoding = TextEncoding(named: name) else {
            let known = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw query.invalid("encoding", "'encoding' must be one of \(known).")
        }
        return encoding
    }

    /// Returns the name and content of the form's part `file`.
    private static func form(_ request: Request) async throws -> (String, [UInt8]) {
        var (name, isFile, wasFound) = ("books.csv", false, false)
        var bytes: [UInt8] = []
        try await request.multipart(limit: BookListPreview.byteLimit, allowance: 10_000) { event in
            switch event {
            case .part(let header):
                isFile = header.name == "file" && !wasFound
                if isFile { name = header.fileName.flatMap(FileNames.shown) ?? name }
                wasFound = wasFound || isFile
            case .body(let piece): if isFile { bytes += piece }
            case .endOfPart: isFile = false
            }
        }
        guard wasFound else {
            throw Problem.badRequest("The form has no file. Send it as the part 'file'.", field: "file")
        }
        return (name, bytes)
    }

    private func job(_ context: AppContext) throws -> ListImports.Job {
        guard let id = context.parameters.get("import"), let job = imports.job(id) else { throw Problem.notFound }
        return job
    }

    private func start(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let known = try job(context)
        let hasBody = request.headers[.contentType] != nil
        let wanted = hasBody ? try await request.json(ListImportOptions.self) : ListImportOptions()
        let options = try wanted.options(for: known.preview)
        if let shelf = options.shelf { try await library.check(shelf: shelf) }
        return try imports.start(known.message.id, options, on: .background).with(.accepted)
    }

    // MARK: Backup

    private func backup(_ request: Request, _ context: AppContext) async throws -> Response {
        let file = library.folder.url.appending(path: "\(Self.downloadPrefix)\(UUID().uuidString).tar")
        let library = library
        let handle = try await withTaskExecutorPreference(BlockingExecutor.background) {
            try await library.backUp(to: file)
            // The open file remains readable until the download has ended.
            defer { unlink(file.path) }
            return try FileHandle(forReadingFrom: file)
        }
        audit.record(.backupDownloaded, by: context.caller)
        let size = Int(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        let body = ResponseBody(contentLength: size) { writer in
            while let piece = try handle.read(upToCount: 256 * 1024), !piece.isEmpty {
                try await writer.write(ByteBuffer(bytes: piece))
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: .download("shelflist-backup.tar", type: "application/x-tar"), body: body)
    }

    private static let downloadPrefix = ".download-"

    /// Removes backups left by downloads that a crash interrupted.
    static func removeLeftovers(in folder: LibraryFolder) throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: folder.url.path) where name.hasPrefix(downloadPrefix) {
            try files.removeItem(at: folder.url.appending(path: name))
        }
    }
}

extension ListImportOptions {
    /// Returns the import options.
    ///
    /// - Throws: `Problem` for a value that is not valid or a column that the list does not have.
    fileprivate func options(for preview: BookListPreview) throws -> ListImports.Options {
        var options = ListImports.Options()
        switch duplicates ?? "skip" {
        case "skip": options.duplicates = .skip
        case "addCopy": options.duplicates = .addCopy
        case "different": options.duplicates = .different
        default: throw Problem.invalidField("duplicates", "'duplicates' must be skip, addCopy or different.")
        }
        options.shelf = try shelf.map(RowID.named)
        for (column, name) in mapping ?? [:] {
            let field: BookListField? = try name.map { try .named($0, field: "mapping") }
            // Mappings equal to the detected ones are dropped, so that a repeated import resumes the interrupted one.
            if let place = preview.columns.firstIndex(of: column), preview.fields[place] == field { continue }
            options.mapping.updateValue(field, forKey: column)
        }
        try preview.check(options.mapping)
        return options
    }
}
