import Foundation

/// One preprocessing step before a photo is read.
package enum Filter: Hashable, Sendable {
    /// Multiplies the distance from the mean brightness by this factor; 1 changes nothing.
    case contrast(Double)
    /// Applies a gamma curve that maps the mean brightness to this level, 1...254, with an exponent within 0.2...5;
    /// black and white stay unchanged.
    case brightness(towards: Int)
    /// A 3 × 3 median per channel: removes speckles, keeps edges.
    case denoise
}

/// Filters that are applied to a photo in order.
package struct FilterChain: Hashable, Sendable {
    package var filters: [Filter]

    package init(_ filters: [Filter]) { self.filters = filters }

    /// The filters that `--preprocess on` applies.
    package static let standard = FilterChain([.brightness(towards: 128), .contrast(1.5), .denoise])

    /// The filters that a photo needs before it can be read; `nil` unless it is clearly dark or flat.
    ///
    /// The readers handle ordinary light on their own. Excludes the median, which would erode thin strokes further.
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
                // Consecutive tone curves are combined into one table, without rounding in between.
                let tones = rest.prefix { $0 != .denoise }
                result.replaceSamples(
                    by: Self.table(for: tones, brightness: BrightnessHistogram(GrayImage(lumaOf: result))))
                rest = rest.dropFirst(tones.count)
            }
        }
        return result
    }

    /// The combined table of 256 output levels.
    private static func table(for tones: ArraySlice<Filter>, brightness: BrightnessHistogram) -> [UInt8] {
        var levels = (0...255).map(Double.init)
        for tone in tones {
            let mean = brightness.mean { levels[$0].clamped(to: 0...255) }
            switch tone {
            case .contrast(let factor):
                levels = levels.map { mean + ($0 - mean) * factor }
            case .brightness(let target):
                // The exponent diverges beyond these limits; an all-black picture stays black.
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
        precondition(table.count == 256, "a tone table has 256 levels")
        samples.withUnsafeMutableBufferPointer { samples in
            table.withUnsafeBufferPointer { table in
                for i in samples.indices { samples[i] = table[Int(samples[i])] }
            }
        }
    }
}
