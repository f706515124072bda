/// Runs an operation for elements in the background, a few at a time, in the order in which they were added.
package actor BackgroundQueue<Element: Sendable> {
    private let limit: Int
    private let operation: @Sendable (Element) async -> Void
    private var waiting: [Element] = []
    private var running = 0
    private var idle: [CheckedContinuation<Void, Never>] = []

    /// - Parameter limit: the number of operations that run at once.
    package init(maxConcurrent limit: Int, _ operation: @escaping @Sendable (Element) async -> Void) {
        (self.limit, self.operation) = (limit, operation)
    }

    /// Enqueues an element and returns immediately.
    package func add(_ element: Element) {
        waiting.append(element)
        startWaiting()
    }

    /// Returns when the queue is empty.
    package func finish() async {
        guard running > 0 || !waiting.isEmpty else { return }
        await withCheckedContinuation { idle.append($0) }
    }

    private func startWaiting() {
        while running < limit, !waiting.isEmpty {
            let element = waiting.removeFirst()
            running += 1
            Task {
                await operation(element)
                end()
            }
        }
    }

    private func end() {
        running -= 1
        startWaiting()
        guard running == 0 else { return }
        idle.forEach { $0.resume() }
        idle = []
    }
}
