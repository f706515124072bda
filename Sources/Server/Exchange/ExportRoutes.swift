import Hummingbird
import HTTPTypes
import Library
import NIOCore
import ShelflistAPI

/// The route for exporting the library as a list.
struct ExportRoutes: Sendable {
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/export", needs: .viewer, costs: .work) { request, _ in
            let query = Query(request)
            let ids = try query.text("ids", maxLength: 20_000)?.split(separator: ",").map { text in
                guard let id = RowID<LibraryEntry>(String(text)) else {
                    throw query.invalid("ids", "'ids' must be IDs of copies, separated by commas.")
                }
                return id
            }
            let export = try await library.export(try query.choice("format", ListFormat.self) ?? .csv, of: ids)
            let body = ResponseBody { writer in
                var export = export
                while let piece = try await export.next() { try await writer.write(ByteBuffer(string: piece)) }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok, headers: .download(export.fileName, type: export.mediaType), body: body)
        }
    }
}

extension HTTPFields {
    static func download(_ name: String, type: String) -> HTTPFields {
        [.contentType: type, .cacheControl: "no-store", .contentDisposition: "attachment; filename=\"\(name)\""]
    }
}
