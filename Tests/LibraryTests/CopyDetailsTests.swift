import Foundation
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct CopyDetailsTests {
    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    private func add(_ title: String, barcode: String? = nil, shelf: RowID<Shelf>? = nil) async throws
        -> RowID<LibraryEntry>
    {
        var details = EntryDetails(shelf: shelf)
        details.barcode = barcode
        return try await store.add(BookDetails(title, by: "Author \(title)"), entry: details).id
    }

    private func importList(_ csv: String) async throws -> ListImportReport {
        try await store.importBooks(Array(csv.utf8), name: "list.csv")
    }

    @Test("Details of a copy are stored, and undone as one action")
    func stored() async throws {
        let copy = try await add("Dune")
        let token = UndoToken()
        _ = try await store.actions(as: token).update(copy) { details in
            (details.barcode, details.condition) = (" 4711 ", .worn)
            details.paid = Money(amount: 1250, currency: "eur")
            details.worth = Money(amount: 3000, currency: "USD")
            details.valuedOn = PartialDate(rawValue: "2026")
            (details.acquiredOn, details.acquiredFrom) = (PartialDate(rawValue: "2025-03"), "Ann")
        }
        let details = try await store.entry(copy).entry.details
        #expect(details.barcode == "4711" && details.condition == .worn && details.acquiredFrom == "Ann")
        #expect(details.paid == Money(amount: 1250, currency: "EUR") && details.worth?.currency == "USD")
        #expect(details.valuedOn?.rawValue == "2026" && details.acquiredOn?.rawValue == "2025-03")
        #expect(try await store.entries(EntryQuery(text: "4711")).entries.map(\.title) == ["Dune"])
        _ = try await store.undo(token)
        #expect(try await store.entry(copy).entry.details == EntryDetails())
    }

    @Test("A barcode is that of one copy, and names it before the numbers of labels do")
    func barcodes() async throws {
        let dune = try await add("Dune", barcode: "2")
        let emma = try await add("Emma")
        let error = await #expect(throws: LibraryError.self) {
            try await store.update(emma) { $0.barcode = "2" }
        }
        #expect(error?.field == "barcode" && error?.description.contains("“Dune”") == true)
        #expect(try await store.copy(withBarcode: "2") == dune)
        #expect(try await store.copy(withBarcode: "1") == dune)
    }

    @Test(
        "Amounts are read as people write them",
        arguments: [
            ("12.50 EUR", 1250, "EUR"), ("12,50 €", 1250, "EUR"), ("$12", 1200, "USD"),
            ("EUR 1.250,00", 125_000, "EUR"),
            ("1,250 USD", 125_000, "USD"), ("1200 JPY", 1200, "JPY"), ("1.250 KWD", 1250, "KWD"),
            ("0.5 gbp", 50, "GBP"),
            ("1'250.5 CHF", 125_050, "CHF"),
        ])
    func amounts(text: String, amount: Int, currency: String) {
        #expect(Money(text) == Money(amount: amount, currency: currency))
    }

    @Test(
        "What is not an amount is refused",
        arguments: ["12.50", "", "EUR", "12.5055 EUR", "-1 EUR", "9999999999999 EUR"])
    func notAmounts(text: String) {
        #expect(Money(text) == nil)
        #expect(Money("12.50", currency: "chf")?.text == "12.50 CHF")
        #expect(Money(amount: 5, currency: "EUR").text == "0.05 EUR")
    }

    @Test("A row with a known barcode changes that copy, and keeps what the list does not say")
    func knownBarcode() async throws {
        let copy = try await add("Dune", barcode: "4711")
        _ = try await store.update(copy) { ($0.notes, $0.tags) = ("mine", ["gift"]) }
        let report = try await importList("title,barcode,price,location\nAnother title,4711,\"12,50 €\",Hall\n")
        #expect(report.added == 0 && report.changed == 1 && report.duplicates.isEmpty)
        let detail = try await store.entry(copy)
        #expect(detail.entry.details.paid?.amount == 1250 && detail.shelf?.name == "Hall")
        #expect(detail.work.title == "Dune" && detail.entry.details.notes == "mine")
        #expect(detail.entry.details.tags == ["gift"])
    }

    @Test("A row with a new barcode is the copy that has none, or another copy")
    func newBarcode() async throws {
        let copy = try await add("Dune")
        let list = "title,author,barcode\nDune,Author Dune,1001\nDune,Author Dune,1002\n"
        let report = try await importList(list)
        #expect(report.changed == 1 && report.added == 1)
        #expect(try await store.entry(copy).entry.details.barcode == "1001")
        #expect(try await store.entry(copy).copies.count == 2)
        #expect(try await store.stats().works == 1)
        #expect(try await importList(list).alreadyImported == 2)
    }

    @Test("Values that cannot be read are noted, and the row is imported without them")
    func unreadable() async throws {
        let report = try await importList("title,condition,price\nDune,chewed,much\n")
        #expect(report.added == 1)
        #expect(report.incomplete.first?.reason.contains("condition “chewed”, price “much”") == true)
    }

    @Test("The export has all details of a copy, and its import restores them")
    func exported() async throws {
        let copy = try await add("Dune")
        _ = try await store.update(copy) { details in
            (details.barcode, details.condition, details.acquiredFrom) = ("4711", .fine, "Ann")
            details.paid = Money(amount: 1200, currency: "JPY")
            details.worth = Money(amount: 1250, currency: "EUR")
            details.setMissing(true)
        }
        let list = try await store.exported(.csv)
        let other = try TestLibrary()
        _ = try await other.store.importBooks(Array(list.utf8), name: "list.csv")
        let restored = try #require(try await other.store.entries().entries.first).entry
        #expect(try await other.store.entry(restored).entry.details == store.entry(copy).entry.details)
    }

    @Test("The worth of each shelf is summed by currency, without wishes and missing copies")
    func worth() async throws {
        let hall = try await store.addShelf(at: PlacePath("Hall")).id
        func add(_ title: String, _ change: @escaping @Sendable (inout EntryDetails) -> Void) async throws {
            let copy = try await self.add(title, shelf: hall)
            _ = try await store.update(copy) { change(&$0) }
        }
        try await add("Dune") { $0.paid = Money(amount: 1000, currency: "EUR") }
        try await add("Emma") {
            $0.paid = Money(amount: 500, currency: "EUR")
            $0.worth = Money(amount: 2000, currency: "USD")
        }
        try await add("Babel") { $0.notes = "a gift" }
        try await add("Gone") {
            $0.paid = Money(amount: 9000, currency: "EUR")
            $0.setMissing(true)
        }
        let value = try await store.value()
        let place = try #require(value.places.first)
        #expect(value.places.count == 1 && place.shelf?.name == "Hall")
        #expect(place.copies == 3 && place.withoutPrice == 1)
        #expect(
            place.sums == [
                .init(currency: "EUR", price: 1500, value: 1000), .init(currency: "USD", price: 0, value: 2000),
            ])
        #expect(value.total.sums == place.sums)
    }

    @Test("Copies are listed in the order of their call numbers, and by condition and barcode")
    func lists() async throws {
        for (title, number) in [("A", "Kinder 12"), ("B", "Kinder 9"), ("C", "")] {
            let copy = try await add("Title \(title)", barcode: title)
            _ = try await store.update(copy) {
                $0.callNumber = number
                $0.condition = title == "B" ? .poor : .good
            }
        }
        #expect(try await store.entries(EntryQuery(sort: .callNumber)).entries.map(\.barcode) == ["B", "A", "C"])
        var query = EntryQuery()
        query.condition = .poor
        #expect(try await store.entries(query).entries.map(\.barcode) == ["B"])
        query = EntryQuery()
        query.barcode = "C"
        #expect(try await store.entries(query).total == 1)
    }
}
