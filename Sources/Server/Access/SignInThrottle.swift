import Foundation
import Synchronization

/// Slows down guessing the password of one name from many addresses.
///
/// The limit of each address is `RateLimiter`'s. Unknown names are counted too, so that waiting does not reveal names.
final class SignInThrottle: Sendable {
    private struct Failures {
        var count: Int
        var last: Date
    }

    /// Failed attempts after which further ones have to wait.
    static let freeAttempts = 10
    /// The longest wait in seconds.
    static let longestWait: TimeInterval = 15 * 60
    /// Seconds without an attempt after which failures are forgotten.
    private static let memory: TimeInterval = 3600
    private static let maxNames = 10_000

    private let failures = Mutex<[String: Failures]>([:])

    /// Counts an attempt as failed until `succeed` is called, so that attempts at the same time are counted.
    ///
    /// - Returns: `nil` if the attempt may be checked, otherwise the time until the next one may.
    func begin(_ name: String, at now: Date) -> Duration? {
        failures.withLock { failures in
            if failures.count >= Self.maxNames {
                failures = failures.filter { now.timeIntervalSince($0.value.last) < Self.memory }
            }
            let key = Self.key(name)
            var known = failures[key] ?? Failures(count: 0, last: now)
            if now.timeIntervalSince(known.last) >= Self.memory { known = Failures(count: 0, last: now) }
            if known.count >= Self.freeAttempts {
                let wait = min(Self.longestWait, pow(2, Double(min(20, known.count - Self.freeAttempts))))
                let left = wait - now.timeIntervalSince(known.last)
                guard left <= 0 else { return .seconds(left) }
            }
            // A name that does not fit is not counted. The addresses are.
            guard failures[key] != nil || failures.count < Self.maxNames else { return nil }
            failures[key] = Failures(count: known.count + 1, last: now)
            return nil
        }
    }

    /// Takes back an attempt that was not checked.
    func withdraw(_ name: String) { failures.withLock { $0[Self.key(name)]?.count -= 1 } }

    func succeed(_ name: String) { failures.withLock { $0[Self.key(name)] = nil } }

    private static func key(_ name: String) -> String { name.lowercased() }
}
