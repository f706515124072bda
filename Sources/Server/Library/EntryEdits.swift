import Bibliography
import Foundation
package import Library
package import ShelflistAPI

extension NewBook {
    package func book() throws -> BookDetails {
        var book = try named()
        try correction?.apply(to: &book)
        return book
    }

    private func named() throws -> BookDetails {
        if let record { return BookDetails(record.received) }
        let number = try isbn.map(ISBN.named)
        guard let title, !title.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw Problem.invalidField("title", "The book has no title. Enter one, or choose a search result.")
        }
        return BookDetails(title: title, authors: (authors ?? []).map { AuthorCredit(name: $0) }, isbn: number)
    }

    package func copy() throws -> EntryDetails {
        var copy = EntryDetails(shelf: try shelf.map(RowID.named))
        copy.ownership = ownership ?? .owned
        copy.tags = tags ?? []
        guard details?.editionId == nil else {
            throw Problem.invalidField("editionId", "A new book has no other editions. Leave out 'editionId'.")
        }
        try details?.apply(to: &copy)
        if let loan { try loan.apply(to: &copy) }
        return copy
    }

    func entrySource() throws -> EntrySource {
        switch source {
        case nil, "hand": return .hand
        case "barcode": return .barcode
        default: throw Problem.invalidField("source", "'source' must be barcode or hand.")
        }
    }
}

extension Loan {
    func apply(to details: inout EntryDetails) throws {
        guard !to.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw Problem.invalidField("to", "'to' is empty. Enter the name of the borrower.")
        }
        if details.lentTo != to { details.lentOn = nil }
        (details.ownership, details.lentTo) = (.lent, to)
        if let since { details.lentOn = try .named(since, field: "since") }
        details.dueOn = try due.map { try .named($0, field: "due") }
    }
}

extension BookChange {
    func apply(to details: inout EntryDetails) throws {
        if let ownership { details.ownership = ownership }
        if let tags { details.tags = tags }
        if let missing { details.setMissing(missing) }
        readingStatus.apply(to: &details.reading)
        rating.apply(to: &details.rating)
        notes.apply(to: &details.notes)
        callNumber.apply(to: &details.callNumber)
        barcode.apply(to: &details.barcode)
        condition.apply(to: &details.condition)
        price.apply(to: &details.paid)
        value.apply(to: &details.worth)
        acquiredFrom.apply(to: &details.acquiredFrom)
        details.valuedOn = try valuedOn.value(from: details.valuedOn) { try .named($0, field: "valuedOn") }
        details.acquiredOn = try acquiredOn.value(from: details.acquiredOn) { try .named($0, field: "acquiredOn") }
        details.shelf = try shelf.value(from: details.shelf) { try .named($0) }
        details.startedOn = try startedOn.value(from: details.startedOn) { try .named($0, field: "startedOn") }
        details.finishedOn = try finishedOn.value(from: details.finishedOn) { try .named($0, field: "finishedOn") }
    }
}

struct BulkMessage: Decodable, Sendable {
    var ids: [String]
    var shelf: FieldPatch<String>
    var addTags: [String]?
    var removeTags: [String]?
    var ownership: Ownership?
    var readingStatus: FieldPatch<ReadingStatus>
    var delete: Bool?

    func apply(to details: inout EntryDetails) throws {
        if let ownership { details.ownership = ownership }
        readingStatus.apply(to: &details.reading)
        details.shelf = try shelf.value(from: details.shelf) { try .named($0) }
        details.tags.removeAll { (removeTags ?? []).contains($0) }
        for tag in addTags ?? [] where !details.tags.contains(tag) { details.tags.append(tag) }
    }
}
