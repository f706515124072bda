import ArgumentParser
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

/// A day in the time zone of this machine.
struct Day: ExpressibleByArgument {
    /// Its first moment.
    let start: Date

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        let wanted = DateComponents(year: year, month: month, day: day)
        guard wanted.isValidDate(in: .current), let date = Calendar.current.date(from: wanted) else { return nil }
        start = date
    }
}

/// The books for which the command fails.
struct InventoryFaults: OptionSet, ExpressibleByArgument {
    let rawValue: Int

    static let missing = InventoryFaults(rawValue: 1)
    static let misplaced = InventoryFaults(rawValue: 2)
    static let order = InventoryFaults(rawValue: 4)

    init(rawValue: Int) { self.rawValue = rawValue }

    init?(argument: String) {
        let known: [Substring: InventoryFaults] = ["missing": .missing, "misplaced": .misplaced, "order": .order]
        self = []
        for word in argument.split(separator: ",") {
            guard let fault = known[word] else { return nil }
            insert(fault)
        }
    }
}

/// What a person decided on books of an audit: `found=12,15`.
struct AuditMark: ExpressibleByArgument {
    /// By the numbers of the books.
    let decisions: [String: AuditAction]

    /// The words of the command line.
    static let actions: KeyValuePairs<String, AuditAction> = [
        "found": .found, "belongs-here": .belongsHere, "put-back": .putBack, "in-order": .putInOrder,
        "ignore-order": .ignoreOrder, "came-back": .cameBack, "gone": .gone,
    ]

    init?(argument: String) {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        let books = parts.last?.split(separator: ",").map(String.init) ?? []
        guard parts.count == 2, !books.isEmpty, books.allSatisfy({ Int($0) != nil }),
            let action = Self.actions.first(where: { $0.key == parts[0] })?.value
        else { return nil }
        decisions = Dictionary(books.map { ($0, action) }, uniquingKeysWith: { first, _ in first })
    }
}

/// An inventory with the copies out of order.
private struct InventoryInOrder: Encodable {
    var inventory: ShelfInventory
    var order: [ShelfAudit.Copy]
}

struct LibraryInventoryCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "inventory", abstract: "Compare the latest scan of a shelf with the previous state.",
        discussion: """
            Scan the shelf first: shelflist scan --import --shelf Hall PHOTO... Nothing is removed; --accept-moved records \
            that moved books are now on this shelf. --mark records what you did about single books, as one action:

              found         It is there.
              belongs-here  It is recorded on this shelf from now on.
              put-back      You put it on the shelf on which it is recorded.
              in-order      You put it where the sort rule puts it.
              ignore-order  Its place does not count.
              came-back     It is not lent any more.
              gone          It is removed from the library.
            """)

    @Argument(help: "The shelf.") var shelf: String
    @Option(name: .customLong("scan"), help: "Scans that together show the whole shelf. (default: the latest)")
    var scans: [String] = []
    @Option(help: "All photos of the shelf since this day (2026-11-26), for a bookcase of several boards.")
    var since: Day?
    @Flag(help: "Also list the books that are not in the order of the shelf's sort rule.") var order = false
    @Option(
        name: .customLong("fail-on"), parsing: .singleValue,
        help: "Exit with 1 if there are such books: missing, misplaced, order. May be repeated, or a list with commas.")
    var failOn: [InventoryFaults] = []
    @Flag(name: .customLong("accept-moved"), help: "Record that moved books are now here.") var acceptMoved = false
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Decide on books by their numbers. May be repeated.", valueName: "action=id,id"))
    var mark: [AuditMark] = []
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard since == nil || scans.isEmpty else { throw ValidationError("--since cannot be combined with --scan.") }
        let marked = mark.flatMap(\.decisions.keys)
        guard Set(marked).count == marked.count else {
            throw ValidationError("A book is marked twice. Decide once on each.")
        }
    }

    func run(_ client: ShelflistClient) async throws {
        let known = try await client.shelves.existing(named: shelf)
        let decisions = mark.reduce(into: [String: AuditAction]()) { all, one in
            all.merge(one.decisions) { first, _ in first }
        }
        if !decisions.isEmpty { try await client.shelves.decide(decisions, on: known.id) }
        let inventory = try await inventory(of: known, client.shelves)
        if acceptMoved, !inventory.moved.isEmpty {
            try await client.library.move(inventory.moved.map(\.id), toShelf: known.id)
        }
        let faults = failOn.reduce(into: InventoryFaults()) { $0.formUnion($1) }
        let audit = order || faults.contains(.order) ? try await client.shelves.audit(known.id) : nil
        let strays = audit?.copies.filter { $0.outOfOrder != nil } ?? []
        if order, let audit {
            options.show(InventoryInOrder(inventory: inventory, order: strays)) {
                inventory.lines(shelf: known.path, movedHere: acceptMoved) + Self.lines(strays, in: audit)
            }
        } else {
            options.show(inventory) { inventory.lines(shelf: known.path, movedHere: acceptMoved) }
        }
        let isFaulty =
            faults.contains(.missing) && !inventory.missing.isEmpty
            || faults.contains(.misplaced) && !inventory.moved.isEmpty && !acceptMoved
            || faults.contains(.order) && !strays.isEmpty
        if isFaulty { throw ExitCode.failure }
    }

    private static func lines(_ strays: [ShelfAudit.Copy], in audit: ShelfAudit) -> [String] {
        guard audit.sort != nil else {
            return ["", "The shelf has no sort rule. Set one: shelflist library shelves --shelf … --sort author"]
        }
        guard !strays.isEmpty else { return ["", "All books are in order."] }
        let titles = Dictionary(
            audit.copies.map { ($0.entry.id, $0.entry.title) }, uniquingKeysWith: { first, _ in first })
        func name(_ id: String?, _ none: String) -> String { id.flatMap { titles[$0] } ?? none }
        return ["", "Out of order (\(strays.count))"]
            + TerminalTable(
                columns: [
                    .init("id", isRightAligned: true), .init("title", atLeast: 10), .init("stands after", atLeast: 8),
                    .init("belongs after", atLeast: 8),
                ],
                rows: strays.map { copy in
                    [
                        .init(copy.entry.id, .dim), .init(copy.entry.title),
                        .init(name(copy.outOfOrder?.standsAfter, "the left end"), .dim),
                        .init(name(copy.outOfOrder?.belongsAfter, "the left end")),
                    ]
                }
            ).onTerminal()
    }

    private func inventory(of shelf: LibraryShelf, _ shelves: ShelfRequests) async throws -> ShelfInventory {
        do {
            return try await shelves.inventory(
                shelf.id, ofScans: scans.isEmpty ? nil : scans, since: since?.start)
        } catch {
            guard error.problem?.code == "not_possible" else { throw error }
            throw CommandError(
                "No photo shows this shelf. Scan it: shelflist scan --import --shelf “\(shelf.path)” PHOTO")
        }
    }
}
