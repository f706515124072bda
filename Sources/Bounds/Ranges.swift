extension ClosedRange {
    /// Creates the range between two bounds, whichever is lower.
    ///
    /// Never traps: of a bound that is not a number and one that is, the range has only the latter; of two that are not,
    /// it contains nothing.
    @inlinable
    package init(ordered first: Bound, _ second: Bound) {
        if first <= second {
            self = first...second
        } else if second < first {
            self = second...first
        } else {
            // NaN is not equal to itself.
            let bound = second == second ? second : first
            self.init(uncheckedBounds: (bound, bound))
        }
    }
}

extension Range {
    /// Creates the range from a bound up to, but not including, another; empty at `lower` if `upper` is lower.
    @inlinable
    package init(from lower: Bound, upTo upper: Bound) { self = lower <= upper ? lower..<upper : lower..<lower }
}
