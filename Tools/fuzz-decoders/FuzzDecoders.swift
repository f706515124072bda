import Fuzzing
import Imaging

/// Feeds damaged pictures to every decoder in Imaging.
@main
struct FuzzDecoders {
    static func main() throws {
        Fuzzer.run(try Decoder.allCases.map { try $0.target })
    }
}

enum Decoder: String, CaseIterable {
    case jpeg, png, webp, heic, exif
    /// Headers with extreme sides, in all formats.
    case sides

    var target: FuzzTarget {
        get throws {
            let originals = try Originals.files(for: self)
            return FuzzTarget(
                rawValue, originals: originals,
                differentRuns: self == .sides ? ExtremeSides.count(originals) : .max,
                repair: { bytes, run in
                    switch self {
                    case .png where run % 4 != 0: PNGFiles.repaired(bytes)
                    case .sides: ExtremeSides.file(of: run, originals)
                    default: bytes
                    }
                },
                parse: decode)
        }
    }

    /// A picture is `read` if it is decoded, EXIF if its orientation is other than upright.
    private func decode(_ bytes: [UInt8], run: Int) -> FuzzOutcome {
        if self == .exif { return ExifOrientation(exif: bytes) == .up ? .refused : .read }
        // Small limits keep it fast, because they bound allocation. Every other picture is decoded at a reduced size.
        let workingPixels = run % 2 == 0 ? 26_000_000 : 200
        do throws(ImageError) {
            // Sides are tested against the real limits, because they decide what is allocated.
            let limits = self == .sides ? PhotoLimits() : PhotoLimits(maxPixels: 1_000_000)
            _ = try PhotoDecoder.decode(bytes, limits: limits, workingPixels: workingPixels)
            return .read
        } catch {
            return .refused
        }
    }
}
