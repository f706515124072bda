package import Imaging
package import Inference

/// A picture size that a detector is compiled for; smaller pictures are padded to it.
///
/// Most cameras take 4:3. Narrower photos fit into the same canvas, and squarer ones use a square.
package struct DetectionCanvas: Hashable, Sendable {
    package let size: PixelSize

    /// Chooses the smallest canvas that fits the picture.
    ///
    /// - Parameter longSide: of the canvas in pixels, a multiple of 32; no side of the picture is longer.
    package init(for picture: PixelSize, longSide: Int) {
        // Of 4:3, as a multiple of 32.
        let shortSide = (longSide * 3 / 4 + 31) / 32 * 32
        let isWide = picture.height <= shortSide
        let isTall = !isWide && picture.width <= shortSide
        size = PixelSize(width: isTall ? shortSide : longSide, height: isWide ? shortSide : longSide)
    }

    /// Shape of the detector's input: [1, 3, height, width].
    package var shape: [Int] { [1, 3, size.height, size.width] }

    /// Places the picture in the canvas's top left corner: BGR planes in the numbers that the detectors were trained with
    /// (`DetectorNumbers`).
    ///
    /// The rest is filled with mirror images, because a detector normalises over the whole picture and empty areas
    /// would shift its result.
    package func tensor(of image: RGBImage) -> Tensor {
        let plane = size.area
        let columns = (0..<size.width).map { 3 * Self.mirrored($0, in: image.width) }
        let (blue, green, red) = DetectorNumbers.planes
        let values = [Float](unsafeUninitializedCapacity: plane * 3) { output, count in
            image.samples.withUnsafeBufferPointer { input in
                for y in 0..<size.height {
                    let row = Self.mirrored(y, in: image.height) * image.width * 3
                    var o = y * size.width
                    for column in columns {
                        let i = row + column
                        output[o] = blue(input[i + 2])
                        output[o + plane] = green(input[i + 1])
                        output[o + 2 * plane] = red(input[i])
                        o += 1
                    }
                }
            }
            count = plane * 3
        }
        return Tensor(shape: shape, values: values)
    }

    /// Maps a position to `count` places, back and forth.
    private static func mirrored(_ position: Int, in count: Int) -> Int {
        let place = position % (2 * count)
        return place < count ? place : 2 * count - 1 - place
    }
}

/// The numbers that a detector expects for the samples of one plane: value ÷ 255, minus a mean, divided by a deviation.
///
/// From `PreProcess` in the file `inference.yml` that accompanies the models PP-OCRv6 small and tiny for detection. Their
/// pictures are BGR, so the numbers, which are ImageNet's for R, G, B, belong to the planes in this order all the same.
private struct DetectorNumbers {
    static let planes = (
        DetectorNumbers(mean: 0.485, deviation: 0.229), DetectorNumbers(mean: 0.456, deviation: 0.224),
        DetectorNumbers(mean: 0.406, deviation: 0.225)
    )

    private let scale: Float
    private let offset: Float

    init(mean: Float, deviation: Float) { (scale, offset) = (1 / (255 * deviation), -mean / deviation) }

    func callAsFunction(_ sample: UInt8) -> Float { Float(sample) * scale + offset }
}
