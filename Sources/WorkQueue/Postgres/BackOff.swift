/// When to connect again: soon at first, then after up to ten seconds, each time a little earlier or later than other
/// machines.
struct BackOff {
    private static let first = 0.1
    private static let longest = 10.0

    private var failures = 0
    private var end = ContinuousClock.now

    var isOver: Bool { ContinuousClock.now >= end }

    mutating func fail() {
        end = .now.advanced(by: .seconds(Self.pause(after: failures, jitter: .random(in: 0.5...1))))
        failures += 1
    }

    /// - Parameter jitter: 0.5...1.
    /// - Returns: the seconds to wait.
    static func pause(after failures: Int, jitter: Double) -> Double {
        min(longest, first * Double(1 << min(failures, 10))) * jitter
    }
}
