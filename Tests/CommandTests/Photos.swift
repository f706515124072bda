import Foundation
import Imaging
import Testing

/// Small photos, each named for what makes it hard.
enum Photos {
    /// A JPEG without any text.
    static func blank(width: Int = 64, height: Int = 48) throws -> [UInt8] {
        let wood = RGBColor(0xB08D57)
        return try JPEGCodec.encode(
            RGBImage(size: PixelSize(width: width, height: height), filledWith: wood), quality: 80)
    }

    /// A part of the example with three spines, one of which the starter list does not know.
    static let threeSpines: Result<[UInt8], any Error> = Result {
        let example = try PhotoDecoder.decode(Array(Data(contentsOf: CommandRunner.example))).image
        let (width, height) = (Double(example.width), Double(example.height))
        let part = PixelRect(x: 0.4 * width, y: 0.02 * height, width: 0.17 * width, height: 0.52 * height)
        return try JPEGCodec.encode(example.cropped(part), quality: 92)
    }

    /// A PNG whose header claims 50,000 × 50,000 pixels; there is nothing behind it.
    static func hugePNG() throws -> [UInt8] {
        var bytes = try PNGCodec.encode(RGBImage(size: PixelSize(width: 8, height: 8)))
        // After the signature and the start of the header come its width and height, 4 bytes each.
        for offset in [16, 20] { bytes.replaceSubrange(offset..<offset + 4, with: [0, 0, 0xC3, 0x50]) }
        let header = bytes[12..<29]
        bytes.replaceSubrange(29..<33, with: bigEndian(crc32(of: header)))
        return bytes
    }

    static func cmykJPEG() throws -> [UInt8] {
        try decoded(
            """
            /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSIZW13\
            e4GCgU5gjZeMfZZzfoF8/8AAFAgAIAAwBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//E\
            ALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2\
            Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrC\
            w8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwDdrVq7XZ0UUUUUUUUUUUUUUUUU\
            UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUV//9k=
            """)
    }

    /// Two frames of 48 × 32 pixels.
    static func animatedWebP() throws -> [UInt8] {
        try decoded(
            """
            UklGRs4AAABXRUJQVlA4WAoAAAACAAAALwAAHwAAQU5JTQYAAAAAAAAAAABBTk1GUAAAAAAAAAAAAC8AAB8AAGQAAAJWUDgg\
            OAAAADADAJ0BKjAAIAA/EYi+V6wpJqOlaAGAIglnAAKDGutaHKAA/uZp3t37RQhP9AAKJp/0AAy4gAAAQU5NRkoAAAAAAAAA\
            AAAvAAAfAABkAAAAVlA4IDIAAADUAgCdASowACAAPxF+rlcCVgACIJaQDM0OxV3bM/fAAP7vdkORKH9UaFy/44GdYAAAAA==
            """)
    }

    /// 16 bits a sample.
    static func deepPNG() throws -> [UInt8] {
        try decoded(
            """
            iVBORw0KGgoAAAANSUhEUgAAADAAAAAgEAIAAACLJrAIAAAAW0lEQVR4nO3QQQ0AIBDAsNOAYqTjgD3h0dTAstmLm3kd8DuD\
            gkHBoGBQMCgYFAwKBgWDgkHBoGBQMCgYFAwKBgWDgkHBoGBQMCgYFAwKBgWDgkHBoGBQMCgYFA4gVUSXCxMCmQAAAABJRU5E\
            rkJggg==
            """)
    }

    private static func decoded(_ base64: String) throws -> [UInt8] { try Array(#require(Data(base64Encoded: base64))) }

    /// As PNG has it (ISO 3309).
    private static func crc32(of bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            var sum = sum ^ UInt32(byte)
            for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
            return sum
        }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
