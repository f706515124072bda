import Fixtures
import Foundation
import ServerFixtures
import ShelflistClient
import TestSupport
import Testing

extension RequestTests {
    @Test("A book is found with its place, moved and tagged, and its photo has its outline")
    func findsAndMoves() async throws {
        try await withClient { fixture in
            let client = fixture.client
            let (hall, attic) = (try await client.shelves.named("Hall"), try await client.shelves.named("Attic"))
            _ = try await client.scan([.script("books:Alpha|Beta")], options: ScanOptions(shelf: hall.id)).results
            let found = try #require(try await client.library.find("alpha").books.first)
            #expect(found.book.title == "Alpha" && found.book.shelf?.name == "Hall")
            let photo = try #require(try await client.shelves.photos(of: hall.id).page().items.first)
            #expect(photo.detections.contains { $0.entryId == found.book.id && $0.outline.corners.count == 4 })
            let moved = try await client.library.move([found.book.id], toShelf: attic.id)
            #expect(moved.changed == 1)
            var book = try await client.library.book(found.book.id)
            #expect(book.shelf?.name == "Attic")
            var change = BookChange()
            change.tags = ["novel"]
            book = try await client.library.change(book, change)
            #expect(try await client.library.tags.page().items == [TagCount(key: "novel", count: 1)])
        }
    }

    @Test("Reports, statistics, history and settings are those of the server")
    func quality() async throws {
        try await withClient { fixture in
            let client = fixture.client
            _ = try await client.scan([.script("books:Alpha|Beta")]).results
            let item = try #require(try await client.review.items().page().items.first)
            var report = SpineReport(correct: false, problem: .cutOff)
            report.detectionId = item.id
            try await client.review.report(report)
            try await client.review.verify(item.id)
            #expect(try await client.review.stats().reviewed == 1)
            let history = try await client.library.history(ofWork: try #require(item.workId)).page().items
            #expect(history.first?.action == .verified)
            #expect(try await client.review.duplicates.page().items.isEmpty)
            #expect(try await client.review.automaticChanges.page().items.isEmpty)
            let settings = try await client.change(LibrarySettingsChange(threshold: 0.75))
            #expect(settings.threshold == 0.75)
            #expect(try await client.settings() == settings)
        }
    }
}
