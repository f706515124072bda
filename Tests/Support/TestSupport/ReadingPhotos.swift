package import Testing

/// Runs tests that use the reading models one at a time over all suites, so that they do not compete for the cores.
package struct ReadsPhotosTrait: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await ReadingTurn.shared.take()
        do {
            try await onOwnThread(function)
        } catch {
            await ReadingTurn.shared.pass()
            throw error
        }
        await ReadingTurn.shared.pass()
    }
}

extension Trait where Self == ReadsPhotosTrait {
    /// The test uses the reading models, which occupy all cores: only one such test runs at a time.
    package static var readsPhotos: Self { Self() }
}

/// One turn for all tests that read photos, given in the order of asking.
private actor ReadingTurn {
    static let shared = ReadingTurn()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
