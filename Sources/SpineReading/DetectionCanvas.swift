package import Imaging
package import Inference

/// A picture size that the detector is compiled for; smaller pictures are padded to it.
///
/// Most cameras take 4:3. Narrower photos fit into the same canvas, and squarer ones use a square.
package struct DetectionCanvas: Hashable, Sendable {
    /// The level of detail to detect text at.
    package enum Detail: Sendable {
        case photo
        /// For a viewfinder: enough to find where the spines are, in little more than a quarter of the time.
        case frame

        /// In pixels.
        ///
        /// For photos, fewer lines are found at 1,600, and no more at 2,560.
        package var longSide: Int { self == .photo ? 1920 : 1024 }
        fileprivate var shortSide: Int { longSide / 4 * 3 }
    }

    package let size: PixelSize
    package let detail: Detail

    /// Chooses the smallest canvas that fits the picture; neither side is longer than the detail's `longSide`.
    package init(for picture: PixelSize, detail: Detail = .photo) {
        let isWide = picture.height <= detail.shortSide
        let isTall = !isWide && picture.width <= detail.shortSide
        size = PixelSize(
            width: isTall ? detail.shortSide : detail.longSide, height: isWide ? detail.shortSide : detail.longSide)
        self.detail = detail
    }

    package var isSquare: Bool { size.width == size.height }

    /// Shape of the detector's input: [1, 3, height, width].
    package var shape: [Int] { [1, 3, size.height, size.width] }

    /// Places the picture in the canvas's top left corner: BGR planes, -1...1.
    ///
    /// The rest is filled with mirror images, because the detector normalises over the whole picture and empty areas
    /// would shift its result.
    package func tensor(of image: RGBImage) -> Tensor {
        let plane = size.area
        let columns = (0..<size.width).map { 3 * Self.mirrored($0, in: image.width) }
        let values = [Float](unsafeUninitializedCapacity: plane * 3) { output, count in
            image.samples.withUnsafeBufferPointer { input in
                for y in 0..<size.height {
                    let row = Self.mirrored(y, in: image.height) * image.width * 3
                    var o = y * size.width
                    for column in columns {
                        let i = row + column
                        output[o] = Float(input[i + 2]) * (2 / 255) - 1
                        output[o + plane] = Float(input[i + 1]) * (2 / 255) - 1
                        output[o + 2 * plane] = Float(input[i]) * (2 / 255) - 1
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
