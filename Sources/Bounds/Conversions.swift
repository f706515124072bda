extension FixedWidthInteger {
    /// Creates the number without its fraction; the nearest that fits for a number that is too small or too large, and 0 for
    /// NaN.
    ///
    /// Never traps, so it is for numbers that were computed, or came from outside. `Int` bounds larger types, too.
    @inlinable
    package init(saturating value: Double) {
        // Comparisons with NaN are false.
        let whole = value >= 0x1p63 ? Int.max : value > -0x1p63 ? Int(value) : value.isNaN ? 0 : Int.min
        self.init(clamping: whole)
    }

    /// As for `Double`.
    @inlinable
    package init(saturating value: Float) { self.init(saturating: Double(value)) }
}

extension Int {
    /// Creates the number without its fraction, in the inner loops over pixels, where `saturating:` would be slower.
    ///
    /// - Precondition: the number fits: it was computed from places inside a picture.
    @inlinable
    package init(pixels value: Double) { self.init(value) }

    /// As for `Double`.
    @inlinable
    package init(pixels value: Float) { self.init(value) }
}

extension UInt8 {
    /// Creates the level without its fraction, in the inner loops over pixels, where `saturating:` would be slower.
    ///
    /// - Precondition: more than -1 and less than 256: a mean of levels, or clamped to them.
    @inlinable
    package init(level value: Float) { self.init(value) }

    /// As for `Float`.
    @inlinable
    package init(level value: Double) { self.init(value) }
}
