import Bibliography
import Foundation

/// The formats that can be imported.
enum ImportFormat: String, Sendable {
    case openLibrary = "Open Library"
    case marc = "MARC 21"
    case marcXML = "MARCXML"
    case csv = "CSV"

    /// Whether an import that was stopped goes on where it was.
    ///
    /// The others begin anew, which adds nothing twice.
    var canResume: Bool { self == .openLibrary || self == .marc }
}

/// A file to import: what it is, and what makes it that file.
struct ImportFile: Sendable {
    let path: String
    let format: ImportFormat
    /// Bytes on disk.
    let size: Int
    /// Size and a hash of the content: of all of it up to 16 MB, else of 64 blocks spread over it.
    ///
    /// The same file under another name is the same; reading forty gigabytes twice to be surer would double the time
    /// of an import, and rows that came through twice would replace themselves.
    let fingerprint: String

    /// - Throws: `ImportFailure`.
    init(path: String) throws {
        self.path = path
        let file = try FileBytes(path: path)
        // Opening it succeeded; should its size be unknown after all, 0 is honest.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        fingerprint = try Self.fingerprint(file, size: size)
        let start = try openByteSource(at: path).start(1 << 16)
        guard let format = Self.format(start: start) else { throw ImportFailure.unknownFormat(path: path) }
        self.format = format
    }

    /// Tells the format by what is inside, not by the file's name.
    static func format(start: [UInt8]) -> ImportFormat? {
        if OpenLibraryLine.isDump(start: start) { return .openLibrary }
        if MARCRecordReader.isMARC(start: start) { return .marc }
        let text = String(decoding: TextEncoding.utf8(start).prefix(4096), as: UTF8.self).trimmed
        if text.hasPrefix("<") { return text.contains("MARC21/slim") || text.contains("<leader") ? .marcXML : nil }
        return text.isEmpty || text.contains("\0") ? nil : .csv
    }

    private static func fingerprint(_ file: FileBytes, size: Int) throws -> String {
        let blockSize = 1 << 16
        let whole = 16 << 20
        let starts =
            size <= whole
            ? Array(stride(from: 0, to: size, by: blockSize))
            : (0..<64).map { $0 * (size - blockSize) / 63 }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var block = [UInt8](repeating: 0, count: blockSize)
        for start in starts {
            try file.seek(to: start)
            let count = try block.withUnsafeMutableBytes { try file.read(into: $0) }
            for byte in block[..<count] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return "\(size)-" + String(hash, radix: 16)
    }
}

extension ByteSource {
    /// The first bytes, fewer if there are no more or the file is broken: reading proper tells.
    func start(_ count: Int) -> [UInt8] {
        var filled = 0
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count,
                let got = try? read(
                    into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])),
                got > 0
            {
                filled += got
            }
            initialized = filled
        }
    }
}
