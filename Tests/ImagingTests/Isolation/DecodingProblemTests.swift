import Imaging
import Testing

@Suite("What a decoding process may say about a photo")
struct DecodingProblemTests {
    private static let size = PixelSize(width: 40_000, height: 2)

    private static let problems: [DecodingProblem] =
        [
            .empty, .notAnImage, .unsupportedKind, .outOfMemory, .tooManyBytes, .tooManyPixels(size),
            .tooLong(size, limit: 32_768), .tooNarrow(size, limit: 50),
        ]
        + ImageFormat.allCases.flatMap { [.unsupportedFeature($0), .truncated($0), .damaged($0)] }

    @Test("Every problem is four numbers and back", arguments: problems)
    func numbers(_ problem: DecodingProblem) {
        #expect(problem.numbers.count == DecodingProblem.count)
        #expect(DecodingProblem(numbers: problem.numbers) == problem)
    }

    @Test(
        "Numbers that no decoder writes are refused",
        arguments: [
            [], [0], [-1, 0, 0, 0], [11, 0, 0, 0], [4, 99, 0, 0], [6, -1, 0, 0], [8, 0, 5, 0], [8, 5, .max, 0],
            [9, 5, 5, 0], [10, 5, 5, .min], [8, .min, .min, 0],
        ])
    func refused(_ numbers: [Int]) { #expect(DecodingProblem(numbers: numbers) == nil) }

    @Test("The error is that of this process")
    func error() {
        let limits = PhotoLimits(maxBytes: 2_000_000)
        let error = DecodingProblem.tooNarrow(Self.size, limit: 50).error(for: [], limits: limits)
        #expect(error.code == .tooManyPixels)
        #expect(
            error.message
                == "The photo has 40000 × 2 pixels: one side is more than 50 times as long as the other. Crop it.")
        #expect(
            DecodingProblem.damaged(.png).error(for: [], limits: limits).message
                == "The PNG file is damaged. Copy it again or re-save it.")
        #expect(DecodingProblem.unsupportedKind.error(for: Array("GIF89a".utf8), limits: limits).code == .unsupported)
    }

    @Test("A size is within sides, area and shape of the limits")
    func sizes() {
        let limits = PhotoLimits()
        let allowed = [(1, 1), (4000, 3000), (32_768, 3000), (50, 1)]
        let refused = [
            (0, 1), (-1, 5), (32_769, 3000), (1, 100_000_000), (102, 1), (20_000, 20_000), (.max, .max), (.min, .min),
        ]
        for (width, height) in allowed { #expect(limits.allow(PixelSize(width: width, height: height))) }
        for (width, height) in refused { #expect(!limits.allow(PixelSize(width: width, height: height))) }
    }
}
