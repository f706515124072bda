extension GrayImage {
    /// Converts to luma by ITU-R BT.601 in integer arithmetic.
    package init(lumaOf image: RGBImage) {
        let area = image.size.area
        let luma = [UInt8](unsafeUninitializedCapacity: area) { output, count in
            image.samples.withUnsafeBufferPointer { input in
                for i in 0..<area {
                    let red = UInt32(input[3 * i])
                    let green = UInt32(input[3 * i + 1])
                    let blue = UInt32(input[3 * i + 2])
                    output[i] = UInt8(truncatingIfNeeded: (77 * red + 150 * green + 29 * blue + 128) >> 8)
                }
            }
            count = area
        }
        self.init(size: image.size, samples: luma)
    }
}

/// A histogram of brightness levels.
struct BrightnessHistogram {
    /// Pixel counts of the 256 levels.
    private(set) var counts = [Int](repeating: 0, count: 256)
    let total: Int

    init(_ image: GrayImage) {
        total = image.samples.count
        for sample in image.samples { counts[Int(sample)] += 1 }
    }

    /// 0...255; 0 for an empty picture.
    var mean: Double { mean(of: { Double($0) }) }

    /// The mean after `tone` is applied to every level.
    func mean(of tone: (Int) -> Double) -> Double {
        guard total > 0 else { return 0 }
        return counts.indices.reduce(0) { $0 + Double(counts[$1]) * tone($1) } / Double(total)
    }

    /// The lowest level, 0...255, that at least `share` (0...1) of the pixels do not exceed.
    func level(_ share: Double) -> Int {
        var below = 0
        for (level, count) in counts.enumerated() {
            below += count
            if Double(below) >= share * Double(total) { return level }
        }
        return 255
    }
}
