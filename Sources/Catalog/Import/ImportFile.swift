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

    /// What is counted to tell a place in the file.
    var unit: String { self == .marc ? "record" : "line" }
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
        guard let format = Self.format(start: try Self.start(of: path)) else {
            throw ImportFailure.unknownFormat(path: path)
        }
        self.format = format
    }

    private static func start(of path: String) throws -> [UInt8] {
        do {
            return try openByteSource(at: path).chunk(1 << 16)
        } catch ImportFailure.truncatedGzip {
            throw ImportFailure.cannotRead(path: path, reason: ImportFailure.truncatedGzip.description)
        }
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
    /// The next bytes, fewer before the file's end or a fault in it.
    ///
    /// - Throws: `ImportFailure` where the fault comes first.
    func chunk(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                do {
                    let got = try read(into: rest)
                    if got == 0 { return }
                    filled += got
                } catch  where filled > 0 {
                    return  // the fault is met again at the next call
                }
            }
        }
    }
}
