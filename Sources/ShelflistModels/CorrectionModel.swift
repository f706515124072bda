import Bibliography
public import Foundation
public import Observation
public import ShelflistClient

/// The correction of one book of the review queue: its spine, its title and author, and where its spine is.
///
/// What the person typed is never replaced: if another client changes the book first, `conflict` has its version.
///
/// ```swift
/// let model = CorrectionModel(client: client, item: item)
/// await model.load()
/// show(model.item.confidence, model.crop, model.author, model.isbn)
/// model.title = "Emma"
/// if model.isEdited { await model.save() }
/// show(model.outcome, model.error?.message)
/// ```
@MainActor @Observable
public final class CorrectionModel: ExclusiveModel {
    /// How the correction ended.
    ///
    /// ```swift
    /// switch model.outcome {
    /// case .corrected, .verified: show("Saved")
    /// case .notABook: show("Removed")
    /// case nil: show(model.isBusy)
    /// }
    /// ```
    public enum Outcome: String, CaseIterable, Sendable {
        /// The text was changed.
        case corrected
        /// The text is right.
        case verified
        /// The spine does not show a book; it was removed.
        case notABook
    }

    /// The book as the server has it, or had it when the person began to type.
    public private(set) var item: ReviewQueueItem
    /// The title, to be edited.
    public var title: String
    /// The authors separated by commas, to be edited.
    public var author: String
    /// The ISBN, to be edited; empty for none.
    public var isbn: String
    /// The outline of the spine, to be moved; nil for a book that no photo shows.
    public var outline: UnitQuad?
    /// The picture of the spine (JPEG), once it is loaded.
    public private(set) var crop: Data?
    /// The book as another client changed it, while the text of this one is not saved.
    ///
    /// `save` then overwrites it with the fields that were edited here, and `useTheirs` drops the edit.
    public private(set) var conflict: ReviewQueueItem?
    /// Not nil once the book has left the queue.
    public private(set) var outcome: Outcome?
    /// Whether a report was stored.
    public private(set) var isReported = false
    /// Whether a request is running.
    public internal(set) var isBusy = false
    /// What is wrong with the last action.
    public internal(set) var error: ShelflistError?

    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private var undoToken: String?

    /// Creates a model of an item of the queue.
    public init(client: ShelflistClient, item: ReviewQueueItem) {
        self.client = client
        self.item = item
        (title, author, isbn, outline) = (item.title ?? "", item.author ?? "", item.isbn ?? "", item.quad)
    }

    /// Whether title, author or ISBN were edited.
    public var isEdited: Bool {
        title != (item.title ?? "") || author != (item.author ?? "") || isbn != (item.isbn ?? "")
    }

    /// Loads the picture of the spine.
    public func load() async {
        guard let path = item.cropUrl else { return }
        await actAlone { () throws(ShelflistError) in self.crop = try await self.client.picture(path) }
    }

    /// Saves the edited fields, which confirms the book; without an edit it is verified.
    public func save() async {
        guard outcome == nil else { return }
        guard isEdited else { return await verify() }
        var correction = BookCorrection()
        if title != (item.title ?? "") { correction.title = title }
        if author != (item.author ?? "") { correction.authors = PersonName.list(author).map(\.displayName) }
        if isbn != (item.isbn ?? "") { correction.isbn = isbn.isEmpty ? .clear : .set(isbn) }
        await actAlone { () throws(ShelflistError) in
            let done = try await self.client.review.correct(self.latest, correction)
            // After an undo, the text is that of the server again.
            (self.item.title, self.item.author) = (self.title, self.author)
            self.item.isbn = self.isbn.isEmpty ? nil : self.isbn
            self.end(.corrected, done)
        }
    }

    /// Confirms title and author as the server has them.
    ///
    /// ```swift
    /// await model.verify()
    /// ```
    public func verify() async {
        guard outcome == nil else { return }
        await actAlone { () throws(ShelflistError) in
            self.end(.verified, try await self.client.review.verify(self.item.id, ifMatch: self.latest.etag))
        }
    }

    /// Removes what is not a book.
    ///
    /// ```swift
    /// await model.reject()
    /// ```
    public func reject() async {
        guard outcome == nil else { return }
        await actAlone { () throws(ShelflistError) in
            self.end(.notABook, try await self.client.review.reject(self.item.id, ifMatch: self.latest.etag))
        }
    }

    /// Reports to the server what is wrong with how the spine was read; the book stays in the queue.
    ///
    /// ```swift
    /// await model.report(.cutOff)
    /// show(model.isReported)
    /// ```
    public func report(_ problem: SpineProblem) async {
        await actAlone { () throws(ShelflistError) in
            var report = SpineReport(correct: false, problem: problem)
            report.detectionId = self.item.id
            try await self.client.review.report(report)
            self.isReported = true
        }
    }

    /// Moves the outline to `outline` and reads the spine again; text that was edited stays.
    ///
    /// ```swift
    /// model.outline = UnitQuad(box)
    /// await model.moveOutline()
    /// ```
    public func moveOutline() async {
        guard outcome == nil, let outline, outline != item.quad else { return }
        await actAlone { () throws(ShelflistError) in
            let moved = try await self.client.review.move(self.latest, to: outline)
            self.take(moved)
            self.undoToken = moved.undoToken
            if let path = moved.cropUrl { self.crop = try await self.client.picture(path) }
        }
    }

    /// Drops the edit and shows what the other client saved.
    ///
    /// ```swift
    /// if let theirs = model.conflict, theirs.title == model.title { model.useTheirs() }
    /// ```
    public func useTheirs() {
        guard let conflict else { return }
        item = conflict
        (title, author, outline) = (conflict.title ?? "", conflict.author ?? "", conflict.quad)
        isbn = conflict.isbn ?? ""
        self.conflict = nil
        error = nil
    }

    /// Undoes the last action.
    ///
    /// ```swift
    /// await model.undo()
    /// ```
    public func undo() async {
        guard let token = undoToken else { return }
        await actAlone { () throws(ShelflistError) in
            try await self.client.undo(token)
            self.undoToken = nil
            self.outcome = nil
            self.take(try await self.client.review.item(self.item.id))
        }
    }

    /// The version that the person has seen.
    private var latest: ReviewQueueItem { conflict ?? item }

    private func end(_ outcome: Outcome, _ done: ActionOutcome) {
        self.outcome = outcome
        undoToken = done.undoToken
        conflict = nil
    }

    /// Shows a newer version; fields that were edited stay.
    private func take(_ new: ReviewQueueItem) {
        if title == (item.title ?? "") { title = new.title ?? "" }
        if author == (item.author ?? "") { author = new.author ?? "" }
        if isbn == (item.isbn ?? "") { isbn = new.isbn ?? "" }
        (item, outline, conflict) = (new, new.quad, nil)
    }

    func recover(from error: ShelflistError) async {
        guard error.isEditConflict else { return }
        do {
            let theirs = try await client.review.item(item.id)
            // Without an edit there is nothing to lose.
            if isEdited { conflict = theirs } else { take(theirs) }
        } catch {
            self.error = error
        }
    }
}
