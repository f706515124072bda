/// The photo formats Shelflist reads.
package enum ImageFormat: String, CaseIterable, Codable, Sendable {
    case jpeg
    case png
    case webp
    case heic

    /// Detects the format from the first bytes; `nil` for anything else.
    package static func sniff(_ bytes: [UInt8]) -> ImageFormat? {
        if case .photo(let format) = FileKind(bytes) { format } else { nil }
    }
}

/// The kind of a file, detected from its first bytes, so that errors can name it.
enum FileKind: Equatable {
    case photo(ImageFormat)
    /// A known kind of file that is not read, with its article and usual name.
    case other(String)
    case unknown

    init(_ bytes: [UInt8]) {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        }
        if has("ftyp", at: 4) {
            self = Self.brandedFile(bytes)
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .photo(.webp)
        } else {
            self = Self.starts.first { $0.texts.contains { has($0) } }?.kind ?? .unknown
        }
    }

    /// How files begin; the characters are bytes.
    private static let starts: [(texts: [String], kind: FileKind)] = [
        (["\u{FF}\u{D8}\u{FF}"], .photo(.jpeg)), (["\u{89}PNG\r\n\u{1A}\n"], .photo(.png)),
        (["GIF8"], .other("a GIF image")),
        (["II*\0", "MM\0*", "II+\0", "MM\0+"], .other("a TIFF or camera raw image")), (["BM"], .other("a BMP image")),
        (["%PDF"], .other("a PDF document")), (["\u{FF}\n", "\0\0\0\u{0C}JXL "], .other("a JPEG XL image")),
        (["\0\0\0\u{0C}jP  "], .other("a JPEG 2000 image")), (["8BPS"], .other("a Photoshop document")),
        (["PK\u{03}\u{04}"], .other("a ZIP archive")),
        (["<svg", "<?xml", "<!DOCTYPE", "<html"], .other("a text document")),
    ]

    /// ISO 14496-12 files begin with a list of brands; HEIC, AVIF and video files differ only there.
    private static func brandedFile(_ bytes: [UInt8]) -> FileKind {
        let declared = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let end = min(max(declared, 12), bytes.count, 512)
        // The major brand at 8, its version at 12, compatible brands from 16.
        let brands = stride(from: 8, to: end - 3, by: 4).filter { $0 != 12 }.map {
            String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
        }
        if brands.contains(where: ["heic", "heix", "heim", "heis", "hevc", "hevx"].contains) { return .photo(.heic) }
        let avif = FileKind.other("an AVIF image")
        if brands.contains(where: ["avif", "avis"].contains) { return avif }
        guard brands.contains(where: ["mif1", "msf1"].contains) else { return .other("a film or audio file") }
        // Only the container's brand: the item type near the beginning of the file decides.
        return bytes.prefix(2048).contains("av01".utf8) ? avif : .photo(.heic)
    }
}
