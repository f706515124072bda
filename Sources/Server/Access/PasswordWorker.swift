import Concurrency
import Foundation
import ShelflistAPI
import Synchronization

/// Creates and checks password hashes. Each takes 128 MB for about 0.3 s.
actor PasswordWorker {
    private let rounds: Int
    private let waiting = Mutex(0)

    /// Hashes that wait or are computed at a time.
    static let maxWaiting = 8

    init(rounds: Int = PasswordHash.standardRounds) { self.rounds = rounds }

    /// - Throws: `Problem` if too many are waiting.
    nonisolated func hash(_ password: String) async throws -> PasswordHash {
        try enter()
        defer { leave() }
        return try await compute(password)
    }

    /// Checks a password.
    ///
    /// Takes the same time if `known` is `nil`, and returns `false` then.
    ///
    /// - Throws: `Problem` if too many are waiting.
    nonisolated func check(_ password: String, against known: PasswordHash?) async throws -> Bool {
        try enter()
        defer { leave() }
        guard let known else {
            _ = try await compute(password)
            return false
        }
        return try await matches(password, known)
    }

    private func compute(_ password: String) async throws -> PasswordHash {
        let rounds = rounds
        return try await withTaskExecutorPreference(BlockingExecutor.interactive) {
            try PasswordHash(password: password, rounds: rounds)
        }
    }

    private func matches(_ password: String, _ known: PasswordHash) async throws -> Bool {
        try await withTaskExecutorPreference(BlockingExecutor.interactive) { try known.matches(password) }
    }

    private nonisolated func enter() throws {
        try waiting.withLock { waiting in
            guard waiting < Self.maxWaiting else {
                throw Problem(
                    "sign_in_busy", status: 503, title: "Busy",
                    detail: "Too many passwords are being checked. Try again in a few seconds.", retryable: true,
                    retryAfterMs: 3000)
            }
            waiting += 1
        }
    }

    private nonisolated func leave() { waiting.withLock { $0 -= 1 } }
}
