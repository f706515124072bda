import Bounds
package import Foundation

/// An encoding of a text file, by its name in the IANA registry of character sets.
package enum TextEncoding: String, CaseIterable, Codable, Sendable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    case windows1252 = "windows-1252"
    case windows1250 = "windows-1250"
    case windows1251 = "windows-1251"
    case windows1253 = "windows-1253"
    case windows1254 = "windows-1254"
    case windows1255 = "windows-1255"
    case windows1256 = "windows-1256"
    case windows1257 = "windows-1257"
    case shiftJIS = "Shift_JIS"
    case gb18030 = "GB18030"
    case big5 = "Big5"
    case eucKR = "EUC-KR"
    case koi8R = "KOI8-R"
    case macRoman = "macintosh"
    case macCyrillic = "x-mac-cyrillic"
    case ibm850 = "IBM850"
    case ibm852 = "IBM852"
    case ibm866 = "IBM866"

    /// Returns the encoding with a name, in any case.
    package init?(named name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.caseInsensitiveCompare(name) == .orderedSame })
        else { return nil }
        self = known
    }

    /// Whether a byte order mark or zeros show the encoding.
    package var isUTF16: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

    /// Detects the encoding by the byte order mark or the zeros of UTF-16 without one; otherwise UTF-8 if `start` is
    /// valid (the last character may be incomplete), or Windows-1252.
    package static func of(_ start: some Collection<UInt8>) -> TextEncoding {
        let mark = Array(start.prefix(3))
        if mark.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if mark.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        // The header line is usually ASCII, so every other byte of it is zero in UTF-16.
        let pairs = Array(start.prefix(16))
        if pairs.count == 16 {
            let zeros = pairs.indices.filter { pairs[$0] == 0 }
            if zeros == Array(stride(from: 1, to: 16, by: 2)) { return .utf16LittleEndian }
            if zeros == Array(stride(from: 0, to: 16, by: 2)) { return .utf16BigEndian }
        }
        return isUTF8(start) ? .utf8 : .windows1252
    }

    /// Returns a whole file as UTF-8 without a byte order mark.
    package static func utf8(_ file: [UInt8]) -> [UInt8] {
        var decoder = Decoder(encoding: of(file))
        return decoder.decode(file) + decoder.finish()
    }

    private static func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
        // The last character may lack up to three bytes.
        let bytes = Array(bytes)
        return ClosedRange(ordered: 0, min(3, bytes.count)).contains {
            String(validating: bytes.dropLast($0), as: UTF8.self) != nil
        }
    }
}

// MARK: Code pages

extension TextEncoding {
    /// Foundation's encoding; nil for UTF-8.
    package var foundation: String.Encoding? {
        switch self {
        case .utf8: nil
        case .utf16LittleEndian: .utf16LittleEndian
        case .utf16BigEndian: .utf16BigEndian
        case .windows1252: .windowsCP1252
        case .windows1250: .windowsCP1250
        case .windows1251: .windowsCP1251
        case .windows1253: .windowsCP1253
        case .windows1254: .windowsCP1254
        // Those below are of Core Foundation (CFStringEncodingExt.h), which sets the highest bit; the code pages of
        // Windows include the standards that they extend.
        case .windows1255: .init(rawValue: 0x8000_0505)
        case .windows1256: .init(rawValue: 0x8000_0506)
        case .windows1257: .init(rawValue: 0x8000_0507)
        case .shiftJIS: .init(rawValue: 0x8000_0420)
        case .gb18030: .init(rawValue: 0x8000_0632)
        case .big5: .init(rawValue: 0x8000_0423)
        case .eucKR: .init(rawValue: 0x8000_0422)
        case .koi8R: .init(rawValue: 0x8000_0A02)
        // Foundation's own number for it is that of another encoding on Linux (Swift 6.3).
        case .macRoman: .init(rawValue: 0x8000_0000)
        case .macCyrillic: .init(rawValue: 0x8000_0007)
        case .ibm850: .init(rawValue: 0x8000_0410)
        case .ibm852: .init(rawValue: 0x8000_0412)
        case .ibm866: .init(rawValue: 0x8000_041B)
        }
    }
}
