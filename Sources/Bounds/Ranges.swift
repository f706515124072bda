extension ClosedRange where Bound: FixedWidthInteger {
    /// Creates the range between two bounds, whichever is lower.
    @inlinable
    package init(ordered first: Bound, _ second: Bound) {
        self = first <= second ? first...second : second...first
    }
}

extension ClosedRange where Bound: FloatingPoint {
    /// Creates the range between two bounds, whichever is lower.
    ///
    /// Never traps: of a bound that is not a number and one that is, the range has only the latter; of two that are not,
    /// only 0.
    @inlinable
    package init(ordered first: Bound, _ second: Bound) {
        // Comparisons with NaN are false.
        if first <= second {
            self = first...second
        } else if second < first {
            self = second...first
        } else {
            let bound = second.isNaN ? first.isNaN ? 0 : first : second
            self = bound...bound
        }
    }
}

extension Range {
    /// Creates the range from a bound up to, but not including, another; empty at `lower` if `upper` is lower.
    @inlinable
    package init(from lower: Bound, upTo upper: Bound) { self = lower <= upper ? lower..<upper : lower..<lower }
}
