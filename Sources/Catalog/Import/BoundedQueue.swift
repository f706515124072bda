import Foundation

/// Passes values from one thread to another, with a bounded number in between.
///
/// `@unchecked Sendable`: all state is read and written while holding `condition`.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var elements: [Element] = []
    private var failure: (any Error)?
    private var isFinished = false
    private var isCancelled = false

    init(capacity: Int) { self.capacity = capacity }

    /// Waits for space; returns false when the receiver has cancelled.
    func send(_ element: Element) -> Bool {
        condition.withLock {
            while elements.count >= capacity && !isCancelled { condition.wait() }
            if isCancelled { return false }
            elements.append(element)
            condition.broadcast()
            return true
        }
    }

    /// Ends the stream, with an error if there was one.
    func finish(_ error: (any Error)? = nil) {
        condition.withLock {
            isFinished = true
            failure = error
            condition.broadcast()
        }
    }

    /// Waits for the next value; nil at the end.
    ///
    /// - Throws: the error that the stream ended with, once all values are received.
    func receive() throws -> Element? {
        try condition.withLock {
            while elements.isEmpty && !isFinished { condition.wait() }
            if !elements.isEmpty {
                condition.broadcast()
                return elements.removeFirst()
            }
            if let failure { throw failure }
            return nil
        }
    }

    /// Cancels the sender and waits until it has finished.
    func cancel() {
        condition.withLock {
            isCancelled = true
            elements = []
            condition.broadcast()
            while !isFinished { condition.wait() }
        }
    }
}

extension BoundedQueue {
    /// Runs `produce` on a separate thread and `consume` on this one; returns when both have finished.
    ///
    /// - Throws: the error of either; an error of `produce` reaches `consume` through `receive()`.
    static func run<Result>(
        capacity: Int, produce: @escaping @Sendable (BoundedQueue) throws -> Void,
        consume: (BoundedQueue) throws -> Result
    ) throws -> Result {
        let queue = BoundedQueue(capacity: capacity)
        let thread = Thread {
            do {
                try produce(queue)
                queue.finish()
            } catch {
                queue.finish(error)
            }
        }
        thread.stackSize = 4 << 20
        thread.start()
        defer { queue.cancel() }
        return try consume(queue)
    }
}
