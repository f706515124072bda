import Bibliography
package import ShelflistAPI

extension LibraryBook {
    package init(_ detail: EntryDetail) {
        let entry = detail.entry
        self.init(
            id: "\(entry.id)", workId: "\(entry.work)", title: detail.work.title,
            authors: detail.work.authors.filter { $0.role == .author }.map(\.name),
            ownership: entry.details.ownership, addedAt: entry.addedAt,
            reviewStatus: detail.work.reviewStatus, etag: RevisionTag.of(entry.revision))
        editionId = entry.edition.map { "\($0)" }
        subtitle = detail.work.subtitle
        isbn = detail.edition?.isbn?.isbn13
        year = detail.edition?.year
        publisher = detail.edition?.publisher
        pages = detail.edition?.pages
        (series, seriesNumber) = (detail.work.series, detail.work.seriesNumber?.rawValue)
        coverUrl = detail.edition?.cover.map(CoverURL.of)
        readingStatus = entry.details.reading
        rating = entry.details.rating
        shelf = detail.shelf.map(ShelfReference.init)
        (notes, callNumber) = (entry.details.notes, entry.details.callNumber)
        tags = entry.details.tags
        startedOn = entry.details.startedOn?.rawValue
        finishedOn = entry.details.finishedOn?.rawValue
        loan = entry.details.lentTo.map {
            Loan(to: $0, since: entry.details.lentOn?.rawValue, due: entry.details.dueOn?.rawValue)
        }
        pastLoans = detail.pastLoans
        let seen = detail.shownDetection
        position = seen.map(SpinePosition.init)
        cropUrl = seen.flatMap { PictureURL.crop($0) }
        confidence = seen?.confidence
        checked = seen?.checked
        copies = detail.copies.count
        missingSince = entry.details.missingSince
        (barcode, condition) = (entry.details.barcode, entry.details.condition)
        (price, value) = (entry.details.paid, entry.details.worth)
        valuedOn = entry.details.valuedOn?.rawValue
        acquiredOn = entry.details.acquiredOn?.rawValue
        acquiredFrom = entry.details.acquiredFrom
    }
}

extension ShelfReference {
    package init(_ shelf: Shelf) { self.init(id: "\(shelf.id)", name: shelf.name, path: shelf.path) }
}

extension SpinePosition {
    package init(_ detection: Detection) {
        self.init(
            photoId: "\(detection.photo)", photoUrl: detection.hasPicture ? PictureURL.photo(detection.photo) : nil,
            detectionId: "\(detection.id)", boundingBox: detection.boundingBox, quad: detection.quad?.inFourDigits)
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
            authors: work.authors, reviewStatus: work.reviewStatus, etag: RevisionTag.of(work.revision))
        subtitle = work.subtitle
        (series, seriesNumber) = (work.series, work.seriesNumber?.rawValue)
        var seen: Set<RowID<Edition>> = []
        let editions = copies.compactMap(\.edition).filter { seen.insert($0.id).inserted }
        coverUrl = editions.compactMap(\.cover).first.map(CoverURL.of)
        self.editions = editions.map(LibraryEdition.init)
        entries = copies.map(LibraryBook.init)
        detections = copies.flatMap(\.detections).map { "\($0.id)" }
    }
}
