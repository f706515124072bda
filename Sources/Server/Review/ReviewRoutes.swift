import Bibliography
import Bounds
import Foundation
import HTTPTypes
import Hummingbird
import Imaging
import Library
import Lookup
import ShelflistAPI
import Storage

/// The routes for the review queue, duplicates and detections.
struct ReviewRoutes: Sendable {
    let library: LibraryStore
    /// Reads the picture of one spine.
    let reread: @Sendable (RGBImage) async throws -> DetectedBook
    let matching: Matching
    let enrichments: EnrichmentQueue
    let views: ReviewViews

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/review", needs: .viewer, list)
        table.add(.get, "api/v1/review/counts", needs: .viewer) { _, _ in
            try await library.reviewCounts()
        }
        table.add(.post, "api/v1/review/verify-all", needs: .editor, verifyAll)
        table.add(.post, "api/v1/review/reject-all", needs: .editor) { request, _ in
            let wanted: RejectAllMessage = try await request.json()
            let entries = try await entries(named: wanted.ids)
            return try await outcome { try await $0.rejectAll(entries) }
        }
        table.add(.post, "api/v1/review/dismiss", needs: .editor, dismiss)
        table.add(.post, "api/v1/undo", needs: .editor) { request, _ in
            let wanted: UndoMessage = try await request.json()
            let undone: UndoneAction?
            switch (wanted.undoToken, wanted.latest) {
            case (let token?, nil): undone = try await library.undo(UndoToken(rawValue: token))
            case (nil, true): undone = try await library.undo()
            default:
                throw Problem.invalidField(
                    "undoToken", "The field 'undoToken' is missing. Send it, or 'latest': true.", status: 400)
            }
            var outcome = ActionOutcome(
                changed: undone?.works.count ?? 0, undoToken: nil, remaining: try await library.reviewCounts().total)
            if wanted.latest == true { outcome.undone = undone?.kind.rawValue }
            return outcome
        }
        table.add(.get, "api/v1/review/automatic", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            let (changes, total) = try await library.automaticChanges(limit: paging.limit, offset: paging.offset)
            return paging.page(changes, total: total)
        }
        table.add(.post, "api/v1/review/automatic/seen", needs: .editor) { request, _ -> HTTPResponse.Status in
            let wanted: SeenMessage = try await request.json()
            guard let last = RowID<ReviewAction>(wanted.through) else {
                throw Problem.invalidField("through", "'through' is not the ID of an automatic change.")
            }
            try await library.markAutomaticChangesSeen(through: last)
            return .noContent
        }
        table.add(.post, "api/v1/review/automatic/:change/undo", needs: .editor) { _, context in
            let undone = try await library.undo(automatic: try context.row("change"))
            return ActionOutcome(
                changed: undone.works.count, undoToken: nil, remaining: try await library.reviewCounts().total)
        }
        table.add(.get, "api/v1/duplicates", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            let (questions, total) = try await library.duplicateQuestions(limit: paging.limit, offset: paging.offset)
            return paging.page(questions.map(PossibleDuplicate.init), total: total)
        }
        table.add(.post, "api/v1/duplicates/decide", needs: .editor, decide)
        table.add(.get, "api/v1/detections/:detection", needs: .viewer) { _, context in
            try await message(try await entry(context))
        }
        table.add(.patch, "api/v1/detections/:detection", needs: .editor, keepEdit)
        table.add(.get, "api/v1/detections/:detection/crop", needs: .viewer, crop)
        table.add(.put, "api/v1/detections/:detection/box", needs: .editor, moveBox)
        table.add(.post, "api/v1/detections/:detection/verify", needs: .editor) { request, context in
            let entry = try await entry(context)
            let revision = try RevisionTag.optional(request)
            return try await outcome { library in
                _ = try await library.verify(entry, ifRevision: revision)
                return 1
            }
        }
        table.add(.post, "api/v1/detections/:detection/reject", needs: .editor) { request, context in
            let entry = try await entry(context)
            let revision = try RevisionTag.optional(request)
            return try await outcome { library in
                try await library.reject(entry, ifRevision: revision)
                return 1
            }
        }
        table.add(.post, "api/v1/detections/:detection/correct", needs: .editor, correct)
        table.add(.post, "api/v1/detections/:detection/match", needs: .editor) { request, context in
            try await matching.respond(to: request, entry: try await entry(context))
        }
    }

    // MARK: The queue

    private func list(_ request: Request, _ context: AppContext) async throws -> ReviewQueuePage {
        let query = Query(request)
        let paging = try Paging(query)
        let kind: InboxKind? = try query.choice("kind")
        let filter = InboxFilter(
            kinds: kind.map { [$0] } ?? InboxKind.waiting, tier: try query.choice("tier"),
            shelf: try query.row("shelf"), photo: try query.row("photo"))
        let counts = try await library.reviewCounts()
        let (items, total) = try await library.inbox(filter, limit: paging.limit, offset: paging.offset)
        if paging.offset == 0, views.isNew(context.caller) {
            // Reading does not fail because it cannot be recorded.
            do {
                try await library.record(.reviewQueueViewed(queueCount: counts.total))
            } catch StorageError.diskFull {}
        }
        let page = paging.page(items, total: total)
        return ReviewQueuePage(
            items: page.items, nextCursor: page.nextCursor, total: total, counts: counts)
    }

    private func verifyAll(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        let wanted: VerifyAllMessage = try await request.json()
        guard let ids = wanted.ids else { return try await outcome { try await $0.verifyAll(tier: wanted.tier) } }
        let entries = try await entries(named: ids)
        return try await outcome { try await $0.verifyAll(entries) }
    }

    /// Returns the copies for IDs of detections, or for `e` followed by a copy's ID.
    private func entries(named ids: [String]) async throws -> [RowID<LibraryEntry>] {
        try Problem.check(ids: ids)
        let shown = try await library.entries(shownBy: ids.compactMap { RowID($0) })
        return try ids.map { id in
            if id.hasPrefix("e"), let number = Int64(id.dropFirst()) { return RowID(number) }
            guard let entry = RowID<Detection>(id).flatMap({ shown[$0] }) else { throw Problem.notFound }
            return entry
        }
    }

    /// - Parameter change: returns the number of books that it changed.
    private func outcome(_ change: (LibraryStore) async throws -> Int) async throws -> ActionOutcome {
        let (count, token) = try await library.undoable(change)
        return ActionOutcome(changed: count, undoToken: token, remaining: try await library.reviewCounts().total)
    }

    private func decide(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        let wanted: DecisionMessage = try await request.json()
        try Problem.check(ids: wanted.ids)
        let ids = Set(try wanted.ids.map(RowID<DuplicateQuestion>.named))
        let questions = try await library.duplicateQuestions(ids)
        let result = try await outcome { try await $0.decide(questions.map(\.id), wanted.decision) }
        // Books that waited for the decision were not looked up with the rest of their scan.
        await enrichments.add(try await library.incompleteBooks(shownBy: questions.compactMap(\.detection)))
        return result
    }

    private func dismiss(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        let wanted: RejectAllMessage = try await request.json()
        try Problem.check(ids: wanted.ids)
        let rows = try wanted.ids.map { id in
            guard id.hasPrefix("r"), let row = RowID<FailedRow>(String(id.dropFirst())) else {
                throw Problem.invalidField("ids", "'\(id.shortened(to: 40))' is not the ID of a row of a list.")
            }
            return row
        }
        return try await outcome { try await $0.dismiss(rows) }
    }

    // MARK: One detection

    private func entry(_ context: AppContext) async throws -> RowID<LibraryEntry> {
        try await entries(named: [try context.parameters.require("detection")])[0]
    }

    private func message(
        _ entry: RowID<LibraryEntry>, undoToken: String? = nil
    ) async throws -> ReviewQueueItem {
        var message = try await library.queueItem(entry)
        message.undoToken = undoToken
        return message
    }

    private func crop(_ request: Request, _ context: AppContext) async throws -> Response {
        let id: RowID<Detection> = try context.row("detection")
        let query = Query(request)
        let turn: SpineTurn = try query.choice("turn") ?? .none
        let size = try query.integer("size", in: 32...2000) ?? 800
        let jpeg = try await library.spineJPEG(id, turn: turn, longSide: size)
        // The URLs that the server sends name the outline, so another outline has another URL.
        let maxAge = try query.text("v") == nil ? 0 : 7 * 24 * 3600
        return .cacheable(
            jpeg, type: "image/jpeg", tag: EntityTag.of(bytes: jpeg), maxAge: maxAge, request: request)
    }

    private func keepEdit(_ request: Request, _ context: AppContext) async throws -> ReviewQueueItem {
        let entry = try await entry(context)
        let revision = try RevisionTag.required(request)
        let edit: ResolutionMessage = try await request.json()
        let (_, token) = try await library.undoable {
            try await $0.keepEdit(entry, ifRevision: revision) { title, author in
                edit.resolvedTitle.apply(to: &title)
                edit.resolvedAuthor.apply(to: &author)
            }
        }
        return try await message(entry, undoToken: token)
    }

    private func moveBox(_ request: Request, _ context: AppContext) async throws -> ReviewQueueItem {
        let entry = try await entry(context)
        let revision = try RevisionTag.required(request)
        let box: NewBoxMessage = try await request.json()
        let outline = try box.outline()
        let (_, token) = try await library.undoable { [reread] library in
            try await library.recrop(entry, to: outline, ifRevision: revision, read: reread)
        }
        return try await message(entry, undoToken: token)
    }

    // MARK: Decisions

    private func correct(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        let entry = try await entry(context)
        let revision = try RevisionTag.required(request)
        let correction: BookCorrection = try await request.json()
        return try await outcome {
            try await $0.correct(entry, ifRevision: revision, correction.apply)
            return 1
        }
    }
}
