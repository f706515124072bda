/// The references between the pictures of a HEIC file: grids and overlays to their parts, pictures to their alpha planes.
///
/// libheif 1.15 follows them without looking for circles: a grid that contains itself makes it start threads until the
/// system refuses, and then ends the process.
enum HEICReferences {
    /// A phone's picture is a grid of parts, some with an alpha plane; edited ones are overlays of grids.
    static let maxDepth = 8
    /// A grid of 512 × 512 pixels for 100 megapixels has 400 parts.
    static let maxPictures = 4096

    /// Calls `body` with the file after a check, without references to what is not needed to show a picture:
    /// thumbnails, descriptions such as Exif, gain maps and depth.
    ///
    /// libheif before 1.18 refuses files with several of them, such as photos of iPhones since iOS 18.
    ///
    /// - Throws: an error with code `damaged` if decoding a picture of the file would not end, go deeper than `maxDepth`
    ///   or decode more than `maxPictures` pictures; the errors of `body`.
    static func withNeededOnly<Result>(
        _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(ImageError) -> Result
    ) throws(ImageError) -> Result {
        let optional = try bytes.withUnsafeBufferPointer { buffer throws(ImageError) in try check(buffer) }
        var bytes = bytes
        for place in optional { bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8)) }
        return try bytes.withUnsafeBufferPointer(body)
    }

    /// Checks the references of a file.
    ///
    /// Boxes that cannot be read are left to libheif, except those of references.
    ///
    /// - Returns: where the types of references are that are not needed.
    private static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) -> [Int] {
        var parts: [UInt32: [UInt32]] = [:]
        var found: [Reference] = []
        var alphaPlanes: Set<UInt32> = []
        var file = BoxReader(Reader(bytes))
        while let meta = file.next() {
            var content = meta.content
            guard meta.type == "meta", content.number(4) != nil else { continue }  // Version and flags.
            var boxes = BoxReader(content)
            while let box = boxes.next() {
                switch box.type {
                case "iref":
                    guard let references = references(in: box.content) else {
                        throw .damaged(.heic, "its references cannot be read")
                    }
                    found += references
                case "iprp": alphaPlanes.formUnion(pictures(ofAlphaIn: box.content))
                default: break
                }
            }
        }
        for reference in found {
            for to in reference.to {
                switch reference.type {
                case "dimg": parts[reference.from, default: []].append(to)
                // The alpha plane names its picture.
                case "auxl": parts[to, default: []].append(reference.from)
                default: break
                }
            }
        }
        var known: [UInt32: Decoding] = [:]
        for picture in parts.keys { _ = try decoding(of: picture, parts, depth: 1, &known) }
        return found.filter { !$0.isNeeded(alphaPlanes) }.map(\.place)
    }

    /// References from one picture to others.
    private struct Reference {
        var type: String
        /// Where the type is in the file.
        var place: Int
        var from: UInt32
        var to: [UInt32] = []

        func isNeeded(_ alphaPlanes: Set<UInt32>) -> Bool {
            switch type {
            case "thmb", "cdsc": false
            case "auxl": alphaPlanes.contains(from)
            default: true
            }
        }
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

    /// Reads a box of references (ISO/IEC 14496-12, 8.11.12), or returns nil if it is damaged.
    private static func references(in content: Reader) -> [Reference]? {
        var content = content
        guard let version = content.number(4).map({ $0 >> 24 }), version <= 1 else { return nil }
        let idBytes = version == 0 ? 2 : 4
        var found: [Reference] = []
        var boxes = BoxReader(content)
        while let box = boxes.next() {
            var reader = box.content
            guard let from = reader.number(idBytes), let count = reader.number(2), reader.count == count * idBytes
            else {
                return nil
            }
            var reference = Reference(type: box.type, place: box.typePlace, from: UInt32(from))
            while let to = reader.number(idBytes) { reference.to.append(UInt32(to)) }
            found.append(reference)
        }
        return boxes.isAtEnd ? found : nil
    }

    /// The auxiliary types of alpha planes (ISO/IEC 23008-12, 6.6.2.1 and the one that HEVC files had before).
    private static let alphaTypes = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]

    /// Returns the pictures with the property of an alpha plane, as far as the properties can be read (ISO/IEC
    /// 23008-12, 9.3).
    private static func pictures(ofAlphaIn properties: Reader) -> Set<UInt32> {
        var (marks, pictures): ([Bool], Set<UInt32>) = ([], [])
        var boxes = BoxReader(properties)
        while let box = boxes.next() {
            switch box.type {
            case "ipco":
                var each = BoxReader(box.content)
                while let property = each.next() {
                    var content = property.content
                    let isAlpha =
                        property.type == "auxC" && content.number(4) != nil && alphaTypes.contains(content.text)
                    marks.append(isAlpha)
                }
            case "ipma":
                var content = box.content
                guard let head = content.number(4), let count = content.number(4) else { continue }
                let (idBytes, indexBytes) = (head >> 24 == 0 ? 2 : 4, head & 1 == 0 ? 1 : 2)
                for _ in 0..<count {
                    guard let picture = content.number(idBytes), let indices = content.number(1) else { break }
                    for _ in 0..<indices {
                        // The high bit says that a reader must know the property.
                        guard let index = content.number(indexBytes) else { break }
                        let place = (index & (indexBytes == 1 ? 0x7F : 0x7FFF)) - 1
                        if marks.indices.contains(place), marks[place] { pictures.insert(UInt32(picture)) }
                    }
                }
            default: break
            }
        }
        return pictures
    }

    private static let tooMany = ImageError.damaged(
        .heic, "its pictures are more than \(maxDepth) deep in each other or more than \(maxPictures) in one")
}

/// Reads numbers, most significant byte first.
private struct Reader {
    private var bytes: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes[...] }

    var count: Int { bytes.count }
    /// The place of the next byte in the file.
    var place: Int { bytes.startIndex }
    /// The text up to the first zero byte.
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

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
        /// Where the type is in the file.
        var typePlace: Int
        var content: Reader
    }

    private var rest: Reader

    init(_ bytes: Reader) { rest = bytes }

    /// Whether the last box ended where its container ends.
    var isAtEnd: Bool { rest.count == 0 }

    mutating func next() -> Box? {
        var reader = rest
        let place = reader.place + 4
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
        return Box(type: String(decoding: name, as: UTF8.self), typePlace: place, content: content)
    }
}
