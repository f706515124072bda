/// The references between the pictures of a HEIC file: grids and overlays to their parts, pictures to their alpha planes.
///
/// libheif 1.15 follows them without looking for circles: a grid that contains itself makes it start threads until the
/// system refuses, and then ends the process.
enum HEICReferences {
    /// A phone's picture is a grid of parts, some with an alpha plane; edited ones are overlays of grids.
    static let maxDepth = 8
    /// A grid of 512 × 512 pixels for 100 megapixels has 400 parts.
    static let maxPictures = 4096

    /// Throws an error with code `damaged` if decoding a picture of the file would not end, go deeper than `maxDepth` or
    /// decode more than `maxPictures` pictures.
    ///
    /// Boxes that cannot be read are left to libheif, except those of references.
    static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        var parts: [UInt32: [UInt32]] = [:]
        var file = BoxReader(Reader(bytes))
        while let meta = file.next() {
            var content = meta.content
            guard meta.type == "meta", content.number(4) != nil else { continue }  // Version and flags.
            var boxes = BoxReader(content)
            while let references = boxes.next() {
                guard references.type == "iref" else { continue }
                guard add(references.content, to: &parts) else {
                    throw .damaged(.heic, "its references cannot be read")
                }
            }
        }
        var known: [UInt32: Decoding] = [:]
        for picture in parts.keys { _ = try decoding(of: picture, parts, depth: 1, &known) }
    }

    /// What decoding a picture takes.
    private struct Decoding {
        var depth = 1
        var pictures = 1
    }

    private static func decoding(
        of picture: UInt32, _ parts: [UInt32: [UInt32]], depth: Int, _ known: inout [UInt32: Decoding]
    ) throws(ImageError) -> Decoding {
        if let result = known[picture] { return result }
        // A circle gets here, too.
        guard depth <= maxDepth else { throw tooMany }
        var result = Decoding()
        for part in parts[picture, default: []] {
            let inner = try decoding(of: part, parts, depth: depth + 1, &known)
            result.depth = max(result.depth, 1 + inner.depth)
            result.pictures += inner.pictures
            guard result.depth <= maxDepth, result.pictures <= maxPictures else { throw tooMany }
        }
        known[picture] = result
        return result
    }

    /// Reads a box of references (ISO/IEC 14496-12, 8.11.12), or returns `false` if it is damaged.
    private static func add(_ content: Reader, to parts: inout [UInt32: [UInt32]]) -> Bool {
        var content = content
        guard let version = content.number(4).map({ $0 >> 24 }), version <= 1 else { return false }
        let idBytes = version == 0 ? 2 : 4
        var boxes = BoxReader(content)
        while let box = boxes.next() {
            var reader = box.content
            guard let from = reader.number(idBytes), let count = reader.number(2), reader.count == count * idBytes
            else {
                return false
            }
            for _ in 0..<count {
                guard let to = reader.number(idBytes) else { return false }
                switch box.type {
                case "dimg": parts[UInt32(from), default: []].append(UInt32(to))
                // The alpha plane names its picture.
                case "auxl": parts[UInt32(to), default: []].append(UInt32(from))
                default: break
                }
            }
        }
        return boxes.isAtEnd
    }

    private static let tooMany = ImageError.damaged(
        .heic, "its pictures are more than \(maxDepth) deep in each other or more than \(maxPictures) in one")
}

/// Reads numbers, most significant byte first.
private struct Reader {
    private var bytes: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes[...] }

    var count: Int { bytes.count }

    /// Returns the next number of at most 7 bytes, or `nil` and stays where it is if the end is nearer.
    mutating func number(_ size: Int) -> Int? {
        guard bytes.count >= size else { return nil }
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns a reader of the next bytes, and continues after them.
    mutating func part(_ size: Int) -> Reader? {
        guard size >= 0, bytes.count >= size else { return nil }
        var result = self
        result.bytes = bytes.prefix(size)
        bytes = bytes.dropFirst(size)
        return result
    }
}

/// Reads the boxes of a file or of another box (ISO/IEC 14496-12, 4.2), until one is damaged.
private struct BoxReader {
    struct Box {
        var type: String
        var content: Reader
    }

    private var rest: Reader

    init(_ bytes: Reader) { rest = bytes }

    /// Whether the last box ended where its container ends.
    var isAtEnd: Bool { rest.count == 0 }

    mutating func next() -> Box? {
        var reader = rest
        guard var size = reader.number(4), let type = reader.number(4) else { return nil }
        var header = 8
        if size == 1 {
            // A length of 64 bits; that of a file in memory has fewer than 56.
            guard reader.number(1) == 0, let long = reader.number(7) else { return nil }
            (size, header) = (long, 16)
        } else if size == 0 {
            size = rest.count
        }
        guard let content = reader.part(size - header) else { return nil }
        rest = reader
        let name = (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
        return Box(type: String(decoding: name, as: UTF8.self), content: content)
    }
}
