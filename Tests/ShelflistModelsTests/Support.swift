import Observation
import ShelflistClient
import ShelflistClientTesting
import ShelflistModels

/// Waits until a condition about models holds, without sleeping.
@MainActor func until(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
    for await holds in Observations({ condition() }) where holds { return }
}

/// Holds tasks back until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Counts the runs of a closure.
actor Attempts {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}

extension InMemoryServer {
    /// A client whose time limits do not expire.
    var heldClient: ShelflistClient { client(clock: ManualClock()) }
}

extension InMemoryServer.Spine {
    static let emma = Self("Emma", by: "Jane Austen")
    /// Below the threshold.
    static let persuasion = Self("Persuasion", by: "Jane Austen", confidence: 0.3)
    static let dune = Self("Dune", by: "Frank Herbert", confidence: 0.55)
    static let ulysses = Self("Ulysses", by: "James Joyce", confidence: 0.9, isChecked: false)
}

extension Problem {
    static let refusal = Problem("not_allowed", status: 403, title: "Not allowed", detail: "No. Ask the owner.")
    static let conflict = Problem(
        "precondition_required", status: 428, title: "If-Match is missing", detail: "It is missing. Send it.")
}
