/// Numbers as they stand in files.
extension [UInt8] {
    static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    static func big32(_ value: Int) -> [UInt8] { big16(value >> 16) + big16(value) }
    static func little16(_ value: Int) -> [UInt8] { big16(value).reversed() }
    static func little24(_ value: Int) -> [UInt8] { little32(value).dropLast() }
    static func little32(_ value: Int) -> [UInt8] { big32(value).reversed() }
}

/// EXIF data with one directory of a few entries (EXIF 2.32, 4.5 and 4.6).
enum EXIFBytes {
    static let prefix: [UInt8] = Array("Exif".utf8) + [0, 0]

    /// - Parameter orientation: any number, also one that means nothing.
    static func file(orientation: Int, bigEndian: Bool = false, asLong: Bool = false) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] { bigEndian ? .big16(value) : .little16(value) }
        func long(_ value: Int) -> [UInt8] { bigEndian ? .big32(value) : .little32(value) }
        // Tag, type (3 short, 4 long), count, and the value in four bytes.
        let value = asLong ? long(orientation) : short(orientation) + [0, 0]
        let entries = [
            short(0x0100) + short(4) + long(1) + long(4032),
            short(0x0112) + short(asLong ? 4 : 3) + long(1) + value,
            short(0x0213) + short(3) + long(1) + short(1) + [0, 0],
        ]
        let header = Array((bigEndian ? "MM" : "II").utf8) + short(42) + long(8)
        return header + short(entries.count) + entries.joined() + long(0)
    }
}

/// The same JPEG with an EXIF segment behind its first marker.
func addingEXIF(toJPEG bytes: [UInt8], exif: [UInt8]) -> [UInt8] {
    let payload = EXIFBytes.prefix + exif
    return bytes.prefix(2) + [0xFF, 0xE1] + .big16(payload.count + 2) + payload + bytes.dropFirst(2)
}
