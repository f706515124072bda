/// Why a photo was not decoded, as numbers: all that a decoding process says about it, because texts of a process under
/// attack could be anything.
package enum DecodingProblem: Hashable, Sendable {
    case empty
    case notAnImage
    case unsupportedKind
    case outOfMemory
    case unsupportedFeature(ImageFormat)
    case truncated(ImageFormat)
    case damaged(ImageFormat)
    case tooManyBytes
    case tooManyPixels(PixelSize)
    case tooLong(PixelSize, limit: Int)
    case tooNarrow(PixelSize, limit: Int)

    /// How many numbers a problem has.
    package static let count = 4

    /// The kind; then the format's index, or width, height and limit.
    package var numbers: [Int] {
        func format(_ kind: Int, _ format: ImageFormat) -> [Int] {
            [kind, ImageFormat.allCases.firstIndex(of: format) ?? 0, 0, 0]
        }
        return switch self {
        case .empty: [0, 0, 0, 0]
        case .notAnImage: [1, 0, 0, 0]
        case .unsupportedKind: [2, 0, 0, 0]
        case .outOfMemory: [3, 0, 0, 0]
        case .unsupportedFeature(let name): format(4, name)
        case .truncated(let name): format(5, name)
        case .damaged(let name): format(6, name)
        case .tooManyBytes: [7, 0, 0, 0]
        case .tooManyPixels(let size): [8, size.width, size.height, 0]
        case .tooLong(let size, let limit): [9, size.width, size.height, limit]
        case .tooNarrow(let size, let limit): [10, size.width, size.height, limit]
        }
    }

    /// - Returns: nil for numbers that no decoder writes.
    package init?(numbers: [Int]) {
        guard numbers.count == Self.count else { return nil }
        let format = ImageFormat.allCases.indices.contains(numbers[1]) ? ImageFormat.allCases[numbers[1]] : nil
        let sides = 1...Int(Int32.max)
        let (size, limit) = (PixelSize(width: numbers[1], height: numbers[2]), numbers[3])
        let hasSize = sides.contains(size.width) && sides.contains(size.height)
        switch (numbers[0], format) {
        case (0, _): self = .empty
        case (1, _): self = .notAnImage
        case (2, _): self = .unsupportedKind
        case (3, _): self = .outOfMemory
        case (4, let format?): self = .unsupportedFeature(format)
        case (5, let format?): self = .truncated(format)
        case (6, let format?): self = .damaged(format)
        case (7, _): self = .tooManyBytes
        case (8, _) where hasSize: self = .tooManyPixels(size)
        case (9, _) where hasSize && sides.contains(limit): self = .tooLong(size, limit: limit)
        case (10, _) where hasSize && sides.contains(limit): self = .tooNarrow(size, limit: limit)
        default: return nil
        }
    }

    /// The error about a file, in the words of this process.
    package func error(for bytes: [UInt8], limits: PhotoLimits) -> ImageError {
        switch self {
        case .empty: return .empty
        case .notAnImage: return .notAnImage
        case .unsupportedKind:
            guard case .other(let name) = FileKind(bytes) else { return .notAnImage }
            return .unsupportedKind(name)
        case .outOfMemory: return .outOfMemory
        case .unsupportedFeature(let format): return .unsupportedFeature(format, nil)
        case .truncated(let format): return .truncated(format)
        case .damaged(let format): return .damaged(format, nil)
        case .tooManyBytes: return .tooManyBytes(bytes.count, limit: limits.maxBytes)
        case .tooManyPixels(let size): return .tooManyPixels(size, limit: limits.maxPixels)
        case .tooLong(let size, let limit): return .tooLong(size, limit: limit)
        case .tooNarrow(let size, let limit): return .tooNarrow(size, limit: limit)
        }
    }
}
