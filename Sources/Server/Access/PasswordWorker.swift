import Concurrency
import Foundation
import ShelflistAPI

/// Creates and checks password hashes. Each takes 128 MB for about 0.3 s.
actor PasswordWorker {
    private let rounds: Int
    private let places = PasswordPlaces()

    init(rounds: Int = PasswordHash.standardRounds) { self.rounds = rounds }

    /// Hashes the password of a member who may set it.
    ///
    /// - Throws: `Problem` if too many are waiting.
    nonisolated func hash(_ password: String) async throws -> PasswordHash {
        try enter(.member)
        defer { places.leave(.member) }
        return try await compute(password)
    }

    /// Checks a password.
    ///
    /// Takes the same time if `known` is `nil`, and returns `false` then.
    ///
    /// - Throws: `Problem` if too many are waiting.
    nonisolated func check(
        _ password: String, against known: PasswordHash?, for applicant: PasswordPlaces.Applicant
    ) async throws -> Bool {
        try enter(applicant)
        defer { places.leave(applicant) }
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

    private nonisolated func enter(_ applicant: PasswordPlaces.Applicant) throws {
        guard places.enter(applicant) else {
            throw Problem(
                "sign_in_busy", status: 503, title: "Busy",
                detail: "Too many passwords are being checked. Try again in a few seconds.", retryable: true,
                retryAfterMs: 3000)
        }
    }
}
