import Imaging
import Inference

/// A size of picture that the detector is compiled for; smaller pictures are padded to it.
///
/// Cameras mostly take 4:3. Narrower photos fit into the same, and for squarer ones there is the square.
enum DetectionCanvas {
    case wide
    case tall
    case square

    /// Pixels. At 1,600 fewer lines are found, at 2,560 no more.
    static let longSide = 1920
    private static let shortSide = 1440

    /// The smallest canvas that a picture fits on, `longSide` at most on either side.
    init(for size: PixelSize) {
        if size.height <= Self.shortSide {
            self = .wide
        } else if size.width <= Self.shortSide {
            self = .tall
        } else {
            self = .square
        }
    }

    var size: PixelSize {
        PixelSize(
            width: self == .tall ? Self.shortSide : Self.longSide,
            height: self == .wide ? Self.shortSide : Self.longSide)
    }

    /// Of the detector's input: [1, 3, height, width].
    var shape: [Int] { [1, 3, size.height, size.width] }

    /// The picture in the canvas's top left corner: blue before green before red, -1...1; the rest is black.
    func tensor(of image: RGBImage) -> Tensor {
        let plane = size.area
        let values = [Float](unsafeUninitializedCapacity: plane * 3) { output, count in
            output.update(repeating: -1)
            image.samples.withUnsafeBufferPointer { input in
                for y in 0..<image.height {
                    var i = y * image.width * 3
                    for o in (y * size.width)..<(y * size.width + image.width) {
                        output[o] = Float(input[i + 2]) * (2 / 255) - 1
                        output[o + plane] = Float(input[i + 1]) * (2 / 255) - 1
                        output[o + 2 * plane] = Float(input[i]) * (2 / 255) - 1
                        i += 3
                    }
                }
            }
            count = plane * 3
        }
        return Tensor(shape: shape, values: values)
    }
}
