import Bounds

extension RGBImage {
    /// Returns the picture rotated clockwise.
    package func turned(_ turn: QuarterTurn) -> RGBImage {
        guard turn != .none else { return self }
        let target = size.turned(turn)
        // The position of the output's pixel (0, 0) in the input, and the steps along output x and y.
        let (origin, dx, dy): (Int, Int, Int) =
            switch turn {
            case .none: (0, 1, width)
            case .quarter: ((height - 1) * width, -width, 1)
            case .half: (size.area - 1, -1, -width)
            case .threeQuarters: (width - 1, width, -1)
            }
        // Processed in tiles, so that the strided reads stay in the cache.
        let tile = 64
        let result = [UInt8](unsafeUninitializedCapacity: samples.count) { output, count in
            samples.withUnsafeBufferPointer { input in
                for top in stride(from: 0, to: target.height, by: tile) {
                    for left in stride(from: 0, to: target.width, by: tile) {
                        for y in Range(from: top, upTo: min(top + tile, target.height)) {
                            var o = (y * target.width + left) * 3
                            var i = (origin + y * dy + left * dx) * 3
                            for _ in Range(from: left, upTo: min(left + tile, target.width)) {
                                output[o] = input[i]
                                output[o + 1] = input[i + 1]
                                output[o + 2] = input[i + 2]
                                o += 3
                                i += dx * 3
                            }
                        }
                    }
                }
            }
            count = target.area * 3
        }
        return RGBImage(size: target, samples: result)
    }

}
