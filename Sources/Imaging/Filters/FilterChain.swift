import Bounds
import Foundation

/// A change of a photo's tones before it is read.
package enum Tone: Hashable, Sendable {
    /// Multiplies the distance from the mean brightness by this factor; 1 changes nothing.
    case contrast(Double)
    /// Applies a gamma curve that maps the mean brightness to this level, 1...254, with an exponent within 0.2...5;
    /// black and white stay unchanged.
    case brightness(towards: Int)
}

/// Filters that are applied to a photo: tones in order, then the median.
package struct FilterChain: Hashable, Sendable {
    package var tones: [Tone]
    /// Whether a 3 × 3 median per channel removes speckles; it keeps edges.
    package var denoises: Bool

    package init(_ tones: [Tone], denoises: Bool = false) { (self.tones, self.denoises) = (tones, denoises) }

    /// The filters that `--preprocess on` applies.
    package static let standard = FilterChain([.brightness(towards: 128), .contrast(1.5)], denoises: true)

    /// The filters that a photo needs before it can be read; `nil` unless it is clearly dark or flat.
    ///
    /// The readers handle ordinary light on their own.
    package static func automatic(for quality: PhotoQuality) -> FilterChain? {
        quality.isDimOrFlat ? .automatic : nil
    }

    /// The filters of dark and flat photos: without the median, which would erode thin strokes further.
    package static let automatic = FilterChain([.brightness(towards: 128), .contrast(1.5)])

    package func apply(to image: RGBImage) -> RGBImage {
        var result = image
        if !tones.isEmpty { result.replaceSamples(by: table(for: BrightnessHistogram(GrayImage(lumaOf: image)))) }
        return denoises ? result.medianFiltered() : result
    }

    /// The table of 256 output levels of all tones, without rounding in between.
    private func table(for brightness: BrightnessHistogram) -> [UInt8] {
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
            }
        }
        return levels.map { UInt8(saturating: $0.clamped(to: 0...255).rounded()) }
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
