import Bibliography
import Foundation
import ServerFixtures
import ShelflistClient
import TestSupport
import Testing

extension RequestTests {
    @Test("A book is added with everything that is known of it and of its copy")
    func addsCompleteBook() async throws {
        try await withClient { fixture in
            var new = NewBook(title: "Walden", authors: ["Thoreau"])
            new.correction = BookCorrection(authors: ["Henry David Thoreau"])
            new.correction?.isbn = .set("9780141439587")
            new.details = BookChange()
            new.details?.rating = .set(4)
            new.details?.startedOn = .set("2026-11")
            new.loan = Loan(to: "Ann")
            let library = fixture.client.library
            guard case .added(let book) = try await library.add(new) else { throw Unexpected() }
            #expect(book.author == "Henry David Thoreau" && book.isbn == "9780141439587")
            #expect(book.rating == 4 && book.startedOn == "2026-11" && book.loan?.to == "Ann")
            #expect(book.ownership == .lent && book.reviewStatus == .verified && book.undoToken != nil)
            let back = try await library.lend(book.id, to: nil)
            try await fixture.client.undo(try #require(back.undoToken))
            #expect(try await library.book(book.id).loan?.to == "Ann")
        }
    }

    @Test("A stocktake is started, seen in part, closed and reported")
    func stocktake() async throws {
        try await withClient { fixture in
            let client = fixture.client
            let shelf = try await client.shelves.named("Hall")
            for title in ["Alpha", "Omega"] {
                _ = try await client.library.add(NewBook(title: title, shelf: shelf.id))
            }
            let started = try await client.stocktakes.start(NewStocktake(name: "Spring", shelves: [shelf.id]))
            let copies = try await client.stocktakes.copies(of: started.id, state: .unseen, shelf: shelf.id).page()
            #expect(copies.items.map(\.title) == ["Alpha", "Omega"])
            let seen = try await client.stocktakes.see(SeenCopies(barcode: copies.items[0].entryId), in: started.id)
            #expect(seen.changed == 1 && seen.copies.first?.seenOn?.name == "Hall")
            #expect(try await client.stocktakes.stocktake(started.id).counts.unseen == 1)
            let closed = try await client.stocktakes.close(started.id)
            #expect(closed.changed == 1)
            let missing = try await client.library.books(LibraryQuery(missing: true)).page()
            #expect(missing.items.map(\.title) == ["Omega"] && missing.items[0].missingSince != nil)
            #expect(String(decoding: try await client.stocktakes.report(started.id), as: UTF8.self).contains("Omega"))
            #expect(try await client.stocktakes.all.page().items.map(\.name) == ["Spring"])
        }
    }

    @Test("Several books are verified and refused as one action, which is undone once")
    func severalBooks() async throws {
        try await withClient { fixture in
            let review = fixture.client.review
            _ = try await fixture.client.scan([.script("books:Alpha|Beta|Gamma|Delta|Eta?")]).results
            let items = try await review.items(tier: .needsReview).page().items
            #expect(items.map(\.title) == ["Beta", "Gamma", "Delta"])
            let refused = try await review.reject(all: [items[0].id])
            #expect(refused.changed == 1 && refused.remaining == 3)
            let verified = try await review.verify(all: [items[1].id])
            #expect(verified.changed == 1 && verified.remaining == 2)
            #expect(try await review.verifyAll(tier: .notChecked).remaining == 1)
            let unknown = await #expect(throws: ShelflistError.self) {
                try await review.reject(all: [items[2].id, "e99"])
            }
            #expect(unknown?.category == .notFound)
            let left = try await review.counts()
            #expect(left.total == 1, "nothing is discarded")
            let token = try #require(refused.undoToken)
            try await fixture.client.undo(token)
            #expect(try await review.counts().total == 2)
            let again = await #expect(throws: ShelflistError.self) { try await fixture.client.undo(token) }
            #expect(again?.category == .conflict)
        }
    }
}
