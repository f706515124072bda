import Bounds
import Foundation
import HTTPTypes
import Hummingbird
package import Library
import NIOCore
package import ShelflistAPI

extension ShelfRoutes {
    /// Of a list of shelves, in bytes.
    static let listLimit = 1 << 20

    /// Returns all shelves, or the one with the code in the query.
    func shelves(_ query: Query) async throws -> [Shelf] {
        guard let text = try query.text("code", maxLength: 40) else { return try await library.shelves() }
        guard let code = PlaceCode(text) else {
            throw query.invalid("code", "'code' is not a valid code. Compare it with the label.")
        }
        return try await library.shelf(with: code).map { [$0] } ?? []
    }

    /// Returns a page that prints the labels of shelves.
    func labels(_ request: Request, _ context: AppContext) async throws -> Response {
        let query = Query(request)
        let sheet = try query.choice("sheet", LabelSheet.self) ?? .l7160
        let first = try query.integer("first", in: ClosedRange(ordered: 1, sheet.count)) ?? 1
        let address = try query.text("address", maxLength: 300)
        if let address, !["http://", "https://"].contains(where: { address.hasPrefix($0) }) {
            throw query.invalid(
                "address", "'address' must be the address of the app. Begin it with http:// or https://.")
        }
        var shelves = try await library.shelves()
        if let ids = try query.text("ids", maxLength: 20_000) {
            let wanted = Set(ids.split(separator: ",").map(String.init))
            shelves.removeAll { !wanted.contains("\($0.id)") }
            guard shelves.count == wanted.count else {
                throw query.invalid("ids", "'ids' has a shelf that does not exist. Reload the list of shelves.")
            }
        }
        let page = LabelPage(sheet: sheet, skipped: first - 1, address: address).html(shelves)
        var response = Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: page)))
        // The sizes of the sheet are in the page.
        response.headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals"
        return response
    }

    func create(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let new: NewShelf = try await request.json()
        let parent: RowID<Shelf>? = try new.parent.map(RowID.named)
        let (shelf, token) = try await library.undoable {
            try await $0.addShelf(at: PlacePath(new.name), in: parent, code: new.code)
        }
        var message = LibraryShelf(shelf)
        message.undoToken = token
        return message.created(at: "/api/v1/shelves/\(shelf.id)")
    }

    func audit(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        struct Message: Decodable {
            var decisions: [AuditDecision]
        }
        let message: Message = try await request.json()
        try Problem.check(ids: message.decisions.map(\.entry), atLeast: 1)
        let decisions = try message.decisions.map {
            (entry: try RowID<LibraryEntry>.named($0.entry), action: $0.action)
        }
        let shelf: RowID<Shelf> = try context.row("shelf")
        let (count, token) = try await library.undoable { try await $0.decide(decisions, on: shelf) }
        return ActionOutcome(changed: count, undoToken: token)
    }

    func change(_ request: Request, _ context: AppContext) async throws -> LibraryShelf {
        let shelf = try await shelf(context)
        try EntityTag.check(request, current: LibraryShelf(shelf).etag)
        let change: ShelfChange = try await request.json()
        let (changed, token) = try await library.undoable {
            try await $0.change(shelf.id, ifUnchanged: shelf) { new in
                new.name = change.name ?? new.name
                new.parent = try change.parent.value(from: new.parent) { try .named($0) }
                new.code = change.code ?? new.code
                change.note.apply(to: &new.note)
                change.sort.apply(to: &new.sortRule)
            }
        }
        var message = LibraryShelf(changed)
        message.undoToken = token
        return message
    }
}

extension LibraryShelf {
    package init(_ shelf: Shelf) {
        let parent = shelf.parent.map { "\($0)" }
        let details = [shelf.name, parent ?? "", shelf.code, shelf.note ?? "", shelf.sortRule?.rawValue ?? ""]
        self.init(
            id: "\(shelf.id)", name: shelf.name, path: shelf.path, code: shelf.code, entries: shelf.entries,
            entriesInside: shelf.entriesInside,
            etag: EntityTag.of(bytes: Data("\(shelf.id) \(details)".utf8)))
        (self.parent, note, sort) = (parent, shelf.note, shelf.sortRule)
    }
}
