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
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .photo(.jpeg)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .photo(.png)
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .photo(.webp)
        } else if has("ftyp", at: 4) {
            self = Self.brandedFile(bytes)
        } else if has("GIF8") {
            self = .other("a GIF image")
        } else if has("II*\0") || has("MM\0*") || has("II+\0") || has("MM\0+") {
            self = .other("a TIFF or camera raw image")
        } else if has("BM") {
            self = .other("a BMP image")
        } else if has("%PDF") {
            self = .other("a PDF document")
        } else if bytes.starts(with: [0xFF, 0x0A]) || has("\0\0\0\u{0C}JXL ") {
            self = .other("a JPEG XL image")
        } else if has("\0\0\0\u{0C}jP  ") {
            self = .other("a JPEG 2000 image")
        } else if has("8BPS") {
            self = .other("a Photoshop document")
        } else if has("PK\u{03}\u{04}") {
            self = .other("a ZIP archive")
        } else if has("<svg") || has("<?xml") || has("<!DOCTYPE") || has("<html") {
            self = .other("a text document")
        } else {
            self = .unknown
        }
    }

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
