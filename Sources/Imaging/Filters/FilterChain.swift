import Foundation

/// One step of preparing a photo for reading.
package enum Filter: Hashable, Sendable {
    /// Distances from the mean brightness times this factor; 1 changes nothing.
    case contrast(Double)
    /// A gamma curve that takes the mean brightness to this level, 1...254, with an exponent within 0.2...5;
    /// black and white stay.
    case brightness(towards: Int)
    /// A 3 × 3 median of each channel: takes out speckles, leaves edges.
    case denoise
}

/// Filters to apply to a photo, one after the other.
package struct FilterChain: Hashable, Sendable {
    package var filters: [Filter]

    package init(_ filters: [Filter]) { self.filters = filters }

    /// What `--preprocess on` applies.
    package static let standard = FilterChain([.brightness(towards: 128), .contrast(1.5), .denoise])

    /// What a photo needs before it can be read; `nil` for all but clearly dark or flat ones.
    ///
    /// The readers cope with usual light on their own. Without the median, which would take away what little there is of thin strokes.
    package static func automatic(for quality: PhotoQuality) -> FilterChain? {
        quality.isDimOrFlat ? FilterChain([.brightness(towards: 128), .contrast(1.5)]) : nil
    }

    package func apply(to image: RGBImage) -> RGBImage {
        var result = image
        var rest = filters[...]
        while let first = rest.first {
            if first == .denoise {
                result = result.medianFiltered()
                rest = rest.dropFirst()
            } else {
                // All in a row in one pass, and without rounding in between.
                let tones = rest.prefix { $0 != .denoise }
                result.replaceSamples(
                    by: Self.table(for: tones, brightness: BrightnessHistogram(GrayImage(lumaOf: result))))
                rest = rest.dropFirst(tones.count)
            }
        }
        return result
    }

    /// The 256 new levels.
    private static func table(for tones: ArraySlice<Filter>, brightness: BrightnessHistogram) -> [UInt8] {
        var levels = (0...255).map(Double.init)
        for tone in tones {
            let mean = brightness.mean { levels[$0].clamped(to: 0...255) }
            switch tone {
            case .contrast(let factor):
                levels = levels.map { mean + ($0 - mean) * factor }
            case .brightness(let target):
                // Beyond these ends the curve is a cliff: an all black picture stays black.
                let exponent =
                    (log(Double(target.clamped(to: 1...254)) / 255) / log(mean.clamped(to: 1...254) / 255))
                    .clamped(to: 0.2...5)
                levels = levels.map { 255 * pow($0.clamped(to: 0...255) / 255, exponent) }
            case .denoise:
                continue
            }
        }
        return levels.map { UInt8($0.clamped(to: 0...255).rounded()) }
    }
}

extension RGBImage {
    fileprivate mutating func replaceSamples(by table: [UInt8]) {
        precondition(table.count == 256, "a table has a new level for each of 256")
        samples.withUnsafeMutableBufferPointer { samples in
            table.withUnsafeBufferPointer { table in
                for i in samples.indices { samples[i] = table[Int(samples[i])] }
            }
        }
    }
}
