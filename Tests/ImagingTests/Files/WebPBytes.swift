/// WebP files with more than a picture in them, made from simple ones (RFC 9649).
enum WebPBytes {
    /// The same picture with EXIF data.
    static func file(_ simple: [UInt8], width: Int, height: Int, exif: [UInt8]) -> [UInt8] {
        extended(flags: 0x08, width, height, picture(of: simple) + chunk("EXIF", exif))
    }

    struct Frame {
        var simple: [UInt8]
        var width: Int
        var height: Int
        /// Even numbers.
        var x = 0
        var y = 0
    }

    static func animation(width: Int, height: Int, _ frames: [Frame]) -> [UInt8] {
        let animation = chunk("ANIM", [0, 0, 0, 255, 0, 0])
        let parts = frames.flatMap { frame in
            chunk(
                "ANMF",
                .little24(frame.x / 2) + .little24(frame.y / 2) + .little24(frame.width - 1)
                    + .little24(frame.height - 1) + .little24(100) + [0] + picture(of: frame.simple))
        }
        return extended(flags: 0x02, width, height, animation + parts)
    }

    /// A lossless picture's header alone, claiming any size up to 16,384.
    static func header(width: Int, height: Int) -> [UInt8] {
        let bits = width - 1 | (height - 1) << 14
        return riff(chunk("VP8L", [0x2F] + .little32(bits) + [UInt8](repeating: 0, count: 20)))
    }

    private static func picture(of simple: [UInt8]) -> [UInt8] { Array(simple.dropFirst(12)) }

    private static func extended(flags: UInt8, _ width: Int, _ height: Int, _ chunks: [UInt8]) -> [UInt8] {
        riff(chunk("VP8X", [flags, 0, 0, 0] + .little24(width - 1) + .little24(height - 1)) + chunks)
    }

    private static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + .little32(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + .little32(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }
}
