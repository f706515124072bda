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
            let format = try Query(request).choice("format", ListFormat.self) ?? .csv
            let (type, ending) =
                switch format {
                case .csv, .goodreads: ("text/csv; charset=utf-8", "csv")
                case .json: ("application/json", "json")
                case .bibtex: ("application/x-bibtex; charset=utf-8", "bib")
                }
            let export = try await library.export(format)
            let body = ResponseBody { writer in
                var export = export
                while let piece = try await export.next() { try await writer.write(ByteBuffer(string: piece)) }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: .download("shelflist.\(ending)", type: type), body: body)
        }
    }
}

extension HTTPFields {
    static func download(_ name: String, type: String) -> HTTPFields {
        [.contentType: type, .cacheControl: "no-store", .contentDisposition: "attachment; filename=\"\(name)\""]
    }
}
