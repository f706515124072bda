import Bounds

extension RGBImage {
    /// Scales down so that the long side is `longSide` pixels; smaller pictures are returned unchanged.
    package func fitted(longSide: Int) -> RGBImage {
        guard size.longSide > longSide else { return self }
        let factor = Double(longSide) / Double(size.longSide)
        return resized(
            to: PixelSize(
                width: max(1, Int(saturating: (Double(width) * factor).rounded())),
                height: max(1, Int(saturating: (Double(height) * factor).rounded()))))
    }

    /// Scales by averaging the area that each new pixel covers; enlarging repeats pixels, blended at their borders.
    ///
    /// O(old pixels + new pixels).
    package func resized(to target: PixelSize) -> RGBImage {
        guard target != size else { return self }
        let columns = AreaWeights(from: width, to: target.width)
        let rows = AreaWeights(from: height, to: target.height)
        let rowLength = target.width * 3
        let result = [UInt8](unsafeUninitializedCapacity: target.area * 3) { output, count in
            samples.withUnsafeBufferPointer { input in
                var sums = [Float](repeating: 0, count: rowLength)
                var line = [Float](repeating: 0, count: rowLength)
                var shrunk = -1
                for (y, taps) in rows.taps.enumerated() {
                    for i in 0..<rowLength { sums[i] = 0 }
                    for tap in 0..<taps.count {
                        let source = taps.first + tap
                        if source != shrunk {
                            columns.shrink(row: input[(source * width * 3)..<((source + 1) * width * 3)], into: &line)
                            shrunk = source
                        }
                        let weight = taps.weight(tap)
                        for i in 0..<rowLength { sums[i] += line[i] * weight }
                    }
                    let start = y * rowLength
                    for i in 0..<rowLength { output[start + i] = UInt8(level: sums[i] + 0.5) }
                }
            }
            count = target.area * 3
        }
        return RGBImage(size: target, samples: result)
    }

    /// Halves width and height; each pixel is the mean of four.
    ///
    /// An odd last row or column is dropped.
    package func halved() -> RGBImage {
        let target = PixelSize(width: max(1, width / 2), height: max(1, height / 2))
        guard width >= 2, height >= 2 else { return resized(to: target) }
        let stride = width * 3
        let result = [UInt8](unsafeUninitializedCapacity: target.area * 3) { output, count in
            samples.withUnsafeBufferPointer { input in
                var o = 0
                for y in 0..<target.height {
                    var i = 2 * y * stride
                    for _ in 0..<target.width {
                        for channel in 0..<3 {
                            let sum =
                                UInt16(input[i + channel]) + UInt16(input[i + channel + 3])
                                + UInt16(input[i + channel + stride]) + UInt16(input[i + channel + stride + 3])
                            output[o + channel] = UInt8((sum + 2) >> 2)
                        }
                        i += 6
                        o += 3
                    }
                }
            }
            count = target.area * 3
        }
        return RGBImage(size: target, samples: result)
    }
}

/// The old pixels, with weights, that make up each new pixel along one axis.
private struct AreaWeights {
    struct Taps {
        let first: Int
        let count: Int
        let firstWeight: Float
        let middleWeight: Float
        let lastWeight: Float

        @inline(__always) func weight(_ tap: Int) -> Float {
            tap == 0 ? firstWeight : tap == count - 1 ? lastWeight : middleWeight
        }
    }

    let taps: [Taps]

    init(from old: Int, to new: Int) {
        let ratio = Double(old) / Double(new)
        taps = (0..<new).map { index in
            let start = Double(index) * ratio
            let end = min(Double(old), start + ratio)
            let first = min(old - 1, Int(saturating: start))
            let last = min(old - 1, max(first, Int(saturating: end.rounded(.up)) - 1))
            guard last > first else {
                return Taps(first: first, count: 1, firstWeight: 1, middleWeight: 0, lastWeight: 0)
            }
            let whole = end - start
            return Taps(
                first: first, count: last - first + 1, firstWeight: Float((Double(first + 1) - start) / whole),
                middleWeight: Float(1 / whole), lastWeight: Float((end - Double(last)) / whole))
        }
    }

    func shrink(row: Slice<UnsafeBufferPointer<UInt8>>, into line: inout [Float]) {
        let input = UnsafeBufferPointer(rebasing: row)
        line.withUnsafeMutableBufferPointer { output in
            var o = 0
            for tap in taps {
                var i = tap.first * 3
                var red = Float(input[i]) * tap.firstWeight
                var green = Float(input[i + 1]) * tap.firstWeight
                var blue = Float(input[i + 2]) * tap.firstWeight
                for k in Range(from: 1, upTo: tap.count) {
                    i += 3
                    let weight = k == tap.count - 1 ? tap.lastWeight : tap.middleWeight
                    red += Float(input[i]) * weight
                    green += Float(input[i + 1]) * weight
                    blue += Float(input[i + 2]) * weight
                }
                output[o] = red
                output[o + 1] = green
                output[o + 2] = blue
                o += 3
            }
        }
    }
}
