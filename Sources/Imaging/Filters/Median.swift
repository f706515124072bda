extension RGBImage {
    /// Replaces each sample by the median of the 3 × 3 pixels around it, per channel; border pixels are repeated
    /// outwards.
    ///
    /// Sorts columns first (J. L. Smith, "Implementing median filters in XC4000E FPGAs", 1996): the median of nine is
    /// the median of the greatest low, the median middle and the least high of three sorted columns. Both loops use
    /// only minima and maxima, which the compiler vectorises.
    func medianFiltered() -> RGBImage {
        guard size.area > 0 else { return self }
        let length = width * 3
        let result = [UInt8](unsafeUninitializedCapacity: samples.count) { output, count in
            samples.withUnsafeBufferPointer { input in
                // The sorted columns of one row, padded by one pixel on both sides.
                var low = [UInt8](repeating: 0, count: length + 6)
                var middle = low
                var high = low
                for y in 0..<height {
                    let above = UnsafeBufferPointer(rebasing: input[(max(0, y - 1) * length)...].prefix(length))
                    let here = UnsafeBufferPointer(rebasing: input[(y * length)...].prefix(length))
                    let below = UnsafeBufferPointer(
                        rebasing: input[(min(height - 1, y + 1) * length)...].prefix(length))
                    for i in 0..<length {
                        let (a, b, c) = (above[i], here[i], below[i])
                        low[i + 3] = min(min(a, b), c)
                        middle[i + 3] = median(a, b, c)
                        high[i + 3] = max(max(a, b), c)
                    }
                    for i in 0..<3 {
                        (low[i], middle[i], high[i]) = (low[i + 3], middle[i + 3], high[i + 3])
                        let last = length + i
                        (low[last + 3], middle[last + 3], high[last + 3]) = (low[last], middle[last], high[last])
                    }
                    let row = UnsafeMutableBufferPointer(rebasing: output[(y * length)..<((y + 1) * length)])
                    for i in 0..<length {
                        row[i] = median(
                            max(max(low[i], low[i + 3]), low[i + 6]),
                            median(middle[i], middle[i + 3], middle[i + 6]),
                            min(min(high[i], high[i + 3]), high[i + 6]))
                    }
                }
            }
            count = samples.count
        }
        return RGBImage(size: size, samples: result)
    }
}

@inline(__always) private func median(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    max(min(a, b), min(max(a, b), c))
}
