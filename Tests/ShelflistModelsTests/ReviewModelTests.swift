import ShelflistClientTesting
import ShelflistModels
import TestSupport
import Testing

@MainActor @Suite(.endsHangs)
struct ReviewModelTests {
    private func queue(_ fixture: ModelFixture, clock: HeldClock = HeldClock()) async throws -> ReviewQueueModel {
        try await fixture.add(.emma, .ulysses, .dune, .persuasion)
        let model = ReviewQueueModel(client: fixture.script.client(clock: clock))
        await model.load()
        return model
    }

    private func titles(_ model: ReviewQueueModel) -> [[String?]] { model.sections.map { $0.items.map(\.title) } }

    @Test("The queue is grouped by tier with counts")
    func tiers() async throws {
        try await withModels { fixture in
            let model = try await queue(fixture)
            #expect(model.sections.map(\.id) == [.needsReview, .verify, .notChecked])
            #expect(titles(model) == [["Persuasion"], ["Dune"], ["Ulysses"]])
            #expect(model.sections.map(\.count) == [1, 1, 1])
            #expect(model.counts.total == 3 && model.error == nil && !model.canUndo)
        }
    }

    @Test("A verified book leaves the queue at once, and comes back if the server refuses")
    func optimism() async throws {
        try await withModels { fixture in
            let clock = HeldClock()
            let model = try await queue(fixture, clock: clock)
            let item = model.sections[0].items[0]
            fixture.script.fail(.problem(.refusal), "*/verify")
            // The refusal waits, so that what is shown before it can be seen.
            fixture.script.fail(.rateLimited(.seconds(2)), "*/verify")
            let refused = Task { await model.verify(item) }
            await clock.untilSleeping(for: .seconds(2))
            #expect(model.counts.total == 2 && titles(model) == [["Dune"], ["Ulysses"]])
            clock.advance(by: .seconds(2))
            await refused.value
            #expect(titles(model) == [["Persuasion"], ["Dune"], ["Ulysses"]])
            #expect(model.counts.total == 3 && model.counts.needsReview == 1)
            #expect(model.error?.message == "No." && model.error?.recovery == "Ask the owner.")
            #expect(model.error?.isRetryable == false)
            await model.verify(item)
            #expect(model.counts.total == 2 && model.error == nil)
            #expect(try await fixture.client.review.counts().total == 2)
        }
    }

    @Test("All books of a tier are verified and restored as one action")
    func verifyAll() async throws {
        try await withModels { fixture in
            let model = try await queue(fixture)
            await model.verifyAll(in: .verify)
            #expect(titles(model) == [["Persuasion"], ["Ulysses"]])
            await model.verifyAll()
            #expect(model.sections.isEmpty && model.counts.total == 0)
            await model.undo()
            #expect(titles(model) == [["Persuasion"], ["Ulysses"]] && model.canUndo)
            await model.undo()
            #expect(titles(model) == [["Persuasion"], ["Dune"], ["Ulysses"]] && !model.canUndo)
        }
    }

    @Test("An edit in place is applied when the book is verified")
    func edit() async throws {
        try await withModels { fixture in
            let model = try await queue(fixture)
            let item = model.sections[0].items[0]
            await model.edit(item, title: "Northanger Abbey", author: "Jane Austen")
            #expect(titles(model)[0] == ["Northanger Abbey"])
            // With the version of the edit, although the view has the item from before.
            await model.verify(item)
            #expect(model.error == nil && model.counts.total == 2)
            let book = try await fixture.client.library.book(try #require(item.entryId))
            #expect(book.title == "Northanger Abbey" && book.reviewStatus == .userEdited)
            fixture.script.fail(.problem(.refusal), "PATCH *")
            await model.edit(model.sections[0].items[0], title: "Doom", author: "?")
            #expect(titles(model)[0] == ["Dune"] && model.error != nil)
        }
    }

    @Test("Another client's edit is not overwritten")
    func conflict() async throws {
        try await withModels { fixture in
            let model = try await queue(fixture)
            let item = model.sections[0].items[0]
            _ = try await fixture.client.review.keep(title: "Sanditon", author: nil, for: item)
            await model.verify(item)
            #expect(model.error?.category == .conflict)
            #expect(titles(model)[0] == ["Sanditon"])
            await model.reject(model.sections[0].items[0])
            #expect(model.error == nil && titles(model) == [["Dune"], ["Ulysses"]])
        }
    }

    @Test("The queue is loaded again when the library changes")
    func watching() async throws {
        try await withModels { fixture in
            let clock = HeldClock()
            let model = ReviewQueueModel(client: fixture.client, clock: clock)
            let watching = Task { await model.watch(every: .seconds(5)) }
            await clock.untilSleeping(for: .seconds(5))
            #expect(model.sections.isEmpty)
            let loads = fixture.script.requests.count { $0.contains("/review?") }
            clock.advance(by: .seconds(5))
            await clock.untilSleeping(for: .seconds(5))
            #expect(fixture.script.requests.count { $0.contains("/review?") } == loads)
            try await fixture.add(.persuasion)
            clock.advance(by: .seconds(5))
            await until { model.counts.total == 1 }
            await clock.untilSleeping(for: .seconds(5))
            fixture.script.fail(.problem(.refusal), "*/changes")
            clock.advance(by: .seconds(5))
            await until { model.error != nil }
            await clock.untilSleeping(for: .seconds(5))
            clock.advance(by: .seconds(5))
            await until { model.error == nil }
            watching.cancel()
            await watching.value
        }
    }

    @Test("The next page follows the first one")
    func pages() async throws {
        try await withModels { fixture in
            try await fixture.add(
                (1...130).map {
                    FoundBook(title: "The \($0). book of a long list", author: "Author \($0)", confidence: 0.2)
                })
            let model = ReviewQueueModel(client: fixture.client)
            await model.load()
            #expect(model.sections[0].items.count == 100 && model.sections[0].count == 130 && model.hasMore)
            await model.loadMore()
            #expect(model.sections[0].items.count == 130 && !model.hasMore)
        }
    }
}

@MainActor @Suite(.endsHangs)
struct CorrectionModelTests {
    /// The correction of a book by "Writer" that a photo shows.
    private func correction(_ fixture: ModelFixture) async throws -> CorrectionModel {
        _ = try await fixture.client.scan([try .books("Sure", "Persuasion")]).results
        let items = try await fixture.client.review.items().page().items
        return CorrectionModel(client: fixture.client, item: try #require(items.first))
    }

    private func book(_ model: CorrectionModel, _ fixture: ModelFixture) async throws -> LibraryBook {
        try await fixture.client.library.book(try #require(model.item.entryId))
    }

    @Test("Saving sends the edited fields and confirms the book")
    func saves() async throws {
        try await withModels { fixture in
            let model = try await correction(fixture)
            await model.load()
            #expect(model.crop?.isEmpty == false && !model.isEdited)
            model.title = "Emma"
            await model.save()
            #expect(model.outcome == .corrected && model.error == nil)
            #expect(try await book(model, fixture).title == "Emma")
            #expect(try await book(model, fixture).author == "Writer")
            await model.undo()
            #expect(model.outcome == nil && model.title == "Persuasion")
            #expect(try await book(model, fixture).reviewStatus == .needsReview)
        }
    }

    @Test("A book without an edit is verified, and what is not a book is removed")
    func decisions() async throws {
        try await withModels { fixture in
            let model = try await correction(fixture)
            await model.save()
            #expect(model.outcome == .verified)
            #expect(try await book(model, fixture).reviewStatus == .verified)
            await model.undo()
            await model.reject()
            #expect(model.outcome == .notABook)
            #expect(try await fixture.client.library.books().page().items.map(\.title) == ["Sure"])
        }
    }

    @Test("A conflict keeps the typed text, and saving again overwrites only the edited fields")
    func conflict() async throws {
        try await withModels { fixture in
            let model = try await correction(fixture)
            model.title = "Sanditon"
            _ = try await fixture.client.review.keep(title: nil, author: "Charlotte Brontë", for: model.item)
            await model.save()
            #expect(model.error?.category == .conflict && model.outcome == nil)
            #expect(model.title == "Sanditon")
            #expect(model.conflict?.author == "Charlotte Brontë")
            await model.save()
            #expect(model.outcome == .corrected && model.error == nil && model.conflict == nil)
            #expect(try await book(model, fixture).title == "Sanditon")
        }
    }

    @Test("The other client's version can be used instead")
    func theirs() async throws {
        try await withModels { fixture in
            let model = try await correction(fixture)
            model.title = "Sanditon"
            _ = try await fixture.client.review.keep(title: "Emma", author: nil, for: model.item)
            await model.save()
            #expect(model.conflict?.title == "Emma" && model.title == "Sanditon")
            model.useTheirs()
            #expect(model.title == "Emma" && model.conflict == nil && !model.isEdited)
            await model.verify()
            #expect(model.outcome == .verified)
        }
    }

    @Test("A missing version is handled as a conflict, and an error keeps the text")
    func errors() async throws {
        try await withModels { fixture in
            let model = try await correction(fixture)
            model.title = "Sanditon"
            fixture.script.fail(.problem(.conflict), "*/correct")
            await model.save()
            #expect(model.conflict != nil && model.title == "Sanditon")
            fixture.script.fail(.problem(.refusal), "*/correct")
            await model.save()
            #expect(model.error?.category == .notAllowed && model.title == "Sanditon" && model.outcome == nil)
            await model.save()
            #expect(model.outcome == .corrected)
        }
    }

    @Test("Moving the outline keeps edited text")
    func recrop() async throws {
        try await withModels { fixture in
            let model = try await correction(fixture)
            model.author = "J. Austen"
            let before = model.outline
            let outline = UnitQuad(UnitRect(x: 0.2, y: 0, width: 0.2, height: 1))
            model.outline = outline
            await model.moveOutline()
            #expect(model.item.quad == outline && model.author == "J. Austen" && model.error == nil)
            #expect(model.crop != nil)
            await model.undo()
            #expect(model.outline == before)
            #expect(model.author == "J. Austen")
        }
    }
}
