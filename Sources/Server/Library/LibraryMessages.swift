import Bibliography
import Foundation
import Hummingbird
package import Library
package import ShelflistAPI

extension LibraryBook {
    package init(_ entry: EntrySummary) {
        self.init(
            id: "\(entry.id)", workId: "\(entry.work)", title: entry.title, authors: entry.authors,
            ownership: entry.ownership.rawValue, addedAt: entry.addedAt, reviewStatus: entry.reviewStatus,
            etag: RevisionTag.of(entry.revision))
        subtitle = entry.subtitle
        isbn = entry.isbn?.isbn13
        year = entry.year
        coverUrl = entry.cover.map(CoverURL.of)
        readingStatus = entry.reading.map(\.apiName)
        rating = entry.rating
        loan = entry.lentTo.map { Loan(to: $0, since: entry.lentOn?.rawValue, due: entry.dueOn?.rawValue) }
        shelf = entry.shelf.map { ShelfReference(id: "\($0)", name: entry.shelfName ?? "") }
        tags = entry.tags
        confidence = entry.confidence
        checked = entry.checked
        cropUrl = entry.spine.map { PictureURL.crop($0, outline: entry.spineOutline) }
    }

    package init(_ detail: EntryDetail) {
        let entry = detail.entry
        self.init(
            id: "\(entry.id)", workId: "\(entry.work)", title: detail.work.title,
            authors: detail.work.authors.filter { $0.role == .author }.map(\.name),
            ownership: entry.details.ownership.rawValue, addedAt: entry.addedAt,
            reviewStatus: detail.work.reviewStatus, etag: RevisionTag.of(entry.revision))
        editionId = entry.edition.map { "\($0)" }
        subtitle = detail.work.subtitle
        isbn = detail.edition?.isbn?.isbn13
        year = detail.edition?.year
        publisher = detail.edition?.publisher
        pages = detail.edition?.pages
        coverUrl = detail.edition?.cover.map(CoverURL.of)
        readingStatus = entry.details.reading.map(\.apiName)
        rating = entry.details.rating
        shelf = detail.shelf.map { ShelfReference(id: "\($0.id)", name: $0.name) }
        notes = entry.details.notes
        tags = entry.details.tags
        startedOn = entry.details.startedOn?.rawValue
        finishedOn = entry.details.finishedOn?.rawValue
        loan = entry.details.lentTo.map {
            Loan(to: $0, since: entry.details.lentOn?.rawValue, due: entry.details.dueOn?.rawValue)
        }
        pastLoans = detail.pastLoans.map {
            PastLoan(
                to: $0.borrower, since: $0.lentOn?.rawValue, due: $0.dueOn?.rawValue, returned: $0.returnedOn.rawValue)
        }
        let seen = detail.shownDetection
        position = seen.map(SpinePosition.init)
        cropUrl = seen.flatMap { PictureURL.crop($0) }
        confidence = seen?.confidence
        checked = seen?.checked
        copies = detail.copies.count
    }
}

/// The URLs of photos and spines; there is none for a picture that is not stored.
enum PictureURL {
    static func photo(_ id: RowID<Photo>) -> ServerPath { "/api/v1/photos/\(id)/image" }

    static func crop(_ detection: Detection) -> ServerPath? {
        guard detection.hasPicture else { return nil }
        let box = detection.boundingBox
        let corners = detection.quad?.corners ?? []
        let outline = [box.x, box.y, box.width, box.height] + corners.flatMap { [$0.x, $0.y] }
        return crop(detection.id, outline: outline.map { "\($0)" }.joined(separator: " "))
    }

    /// - Parameter outline: changes when the user moves the outline, so that no cache shows the former crop.
    static func crop(_ id: RowID<Detection>, outline: String) -> ServerPath {
        "/api/v1/detections/\(id)/crop?v=\(EntityTag.of(bytes: Data(outline.utf8)))"
    }
}

enum CoverURL {
    static func of(_ file: String) -> ServerPath { "/api/v1/covers/\(file)" }
}

extension SpinePosition {
    init(_ detection: Detection) {
        self.init(
            photoId: "\(detection.photo)", photoUrl: detection.hasPicture ? PictureURL.photo(detection.photo) : nil,
            detectionId: "\(detection.id)", boundingBox: detection.boundingBox, quad: detection.quad?.inFourDigits)
    }
}

extension LocatedBook {
    package init(_ found: FoundBook) {
        var book = LibraryBook(found.entry)
        book.position = found.detection.map(SpinePosition.init)
        self.init(
            book: book,
            place: found.position.map {
                PlaceInPhoto(row: $0.row, rows: $0.rows, place: $0.place, places: $0.places)
            })
    }
}

extension LibraryEdition {
    package init(_ edition: Edition) {
        self.init(id: "\(edition.id)", workId: "\(edition.work)")
        isbn = edition.isbn?.isbn13
        publisher = edition.publisher
        year = edition.year
        pages = edition.pages
        format = edition.binding
        language = edition.language
        coverUrl = edition.cover.map(CoverURL.of)
    }
}

extension LibraryWork {
    package init(_ work: Work, copies: [EntryDetail]) {
        self.init(
            id: "\(work.id)", title: work.title,
            authors: work.authors.map { Author(name: $0.name, role: $0.role.rawValue) },
            reviewStatus: work.reviewStatus, etag: RevisionTag.of(work.revision))
        subtitle = work.subtitle
        series = work.series
        var seen: Set<RowID<Edition>> = []
        let editions = copies.compactMap(\.edition).filter { seen.insert($0.id).inserted }
        coverUrl = editions.compactMap(\.cover).first.map(CoverURL.of)
        self.editions = editions.map(LibraryEdition.init)
        entries = copies.map(LibraryBook.init)
        detections = copies.flatMap(\.detections).map { "\($0.id)" }
    }
}

extension WorkEvent {
    package init(_ event: HistoryEvent) {
        self.init(
            time: event.at, action: event.judgement.rawValue,
            before: ["title": event.readTitle, "author": event.readAuthor],
            after: ["title": event.finalTitle, "author": event.finalAuthor], undone: event.undone)
    }
}
