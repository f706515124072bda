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

    /// Returns a page of the shelves, or the one with the code in the query.
    func shelves(_ query: Query) async throws -> Page<LibraryShelf> {
        let paging = try Paging(query)
        guard let text = try query.text("code", maxLength: 40) else {
            let (shelves, total) = try await library.shelves(limit: paging.limit, offset: paging.offset)
            return paging.page(shelves.map(LibraryShelf.init), total: total)
        }
        guard let code = PlaceCode(text) else {
            throw query.invalid("code", "'code' is not a valid code. Compare it with the label.")
        }
        return paging.page(of: try await library.shelf(with: code).map { [$0] } ?? [], LibraryShelf.init)
    }

    /// Returns a page that prints labels of shelves, copies or spines.
    func labels(_ request: Request, _ context: AppContext) async throws -> Response {
        let query = Query(request)
        var layout = (try query.choice("sheet", LabelSheet.self) ?? .l7160).layout
        if let size = try query.text("size", maxLength: 20) {
            guard let free = LabelLayout(size: size) else {
                throw query.invalid(
                    "size", "'size' must be a width of 15 to 190 mm and a height of 8 to 270, as 50x30.")
            }
            layout = free
        }
        let first = try query.integer("first", in: ClosedRange(ordered: 1, layout.count)) ?? 1
        let address = try query.text("address", maxLength: 300)
        if let address, !["http://", "https://"].contains(where: { address.hasPrefix($0) }) {
            throw query.invalid(
                "address", "'address' must be the address of the app. Begin it with http:// or https://.")
        }
        let ids = try query.text("ids", maxLength: 20_000).map { $0.split(separator: ",").map(String.init) }
        let shelf = try query.text("shelf", maxLength: 40).map(RowID<Shelf>.named)
        let contents =
            switch try query.choice("kind", LabelKind.self) ?? .place {
            case .place: try await shelfLabels(ids, inside: shelf, query)
            case .copy: try await copies(ids, on: shelf, query).map(LabelPage.Label.copy)
            case .spine: try await spineLabels(of: copies(ids, on: shelf, query))
            }
        let isGerman = request.headers[.acceptLanguage]?.lowercased().hasPrefix("de") == true
        let page = LabelPage(layout: layout, skipped: first - 1, address: address, isGerman: isGerman).html(contents)
        return PrintedPage.response(page)
    }

    private func shelfLabels(
        _ ids: [String]?, inside shelf: RowID<Shelf>?, _ query: Query
    ) async throws -> [LabelPage.Label] {
        var shelves = try await library.shelves()
        if let shelf {
            let path = PlacePath(try await library.shelf(shelf).path).names
            shelves.removeAll { !PlacePath($0.path).names.starts(with: path) }
        }
        if let ids {
            let wanted = Set(ids)
            shelves.removeAll { !wanted.contains("\($0.id)") }
            guard shelves.count == wanted.count else {
                throw query.invalid("ids", "'ids' has a shelf that does not exist. Reload the list of shelves.")
            }
        }
        return shelves.map(LabelPage.Label.place)
    }

    /// Returns the copies with these IDs, or those on a shelf and the shelves inside it, in the order of their places.
    private func copies(
        _ ids: [String]?, on shelf: RowID<Shelf>?, _ query: Query
    ) async throws -> [LibraryBook] {
        var wanted = EntryQuery(sort: .shelf)
        wanted.shelf = shelf
        guard ids != nil || shelf != nil else {
            throw query.invalid("ids", "'ids' or 'shelf' is needed for labels of copies and spines.")
        }
        let chosen = ids.map { Set($0) }
        wanted.ids = chosen.map { $0.compactMap { RowID($0) } }
        let books = try await library.entries(wanted).entries
        guard books.count == chosen?.count ?? books.count else {
            throw query.invalid("ids", "'ids' has a copy that does not exist. Reload the library.")
        }
        return books
    }

    private func spineLabels(of copies: [LibraryBook]) async throws -> [LabelPage.Label] {
        let ids: [RowID<LibraryEntry>] = copies.compactMap { RowID($0.id) }
        let numbers = try await library.callNumbers(of: ids)
        return ids.compactMap { numbers[$0] }.map(LabelPage.Label.spine)
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
