import Bibliography
import DelimitedText
import Foundation

enum ImportFormat: String, Sendable {
    case openLibrary = "Open Library"
    case marc = "MARC 21"
    case marcXML = "MARCXML"
    case csv = "CSV"

    /// Whether an interrupted import resumes at its last position.
    ///
    /// Imports of other formats start again, which does not add duplicates.
    var canResume: Bool { self == .openLibrary || self == .marc }

    /// The unit in which positions in the file are counted.
    var unit: String { self == .marc ? "record" : "line" }
}

/// A file or download to import, with its format and fingerprint.
package struct ImportFile: Sendable {
    let path: String
    let format: ImportFormat
    /// Bytes on disk, or of the download; 0 if unknown.
    let size: Int
    /// Size and a hash of the content: all of it up to 16 MB, otherwise 64 blocks spread over it.
    ///
    /// A renamed file has the same fingerprint. Hashing all of forty gigabytes would double the time of an import,
    /// and rows of a file mistaken for another would replace themselves.
    let fingerprint: String
    /// Returns the decompressed bytes.
    let open: @Sendable () throws -> any ByteSource

    /// - Throws: `ImportFailure`.
    init(path: String) throws {
        self.path = path
        open = { try openByteSource(at: path) }
        let file = try FileBytes(path: path)
        // Opening it succeeded; if its size is unknown nevertheless, 0 is used.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        fingerprint = try Self.fingerprint(file, size: size)
        guard let format = Self.format(start: try Self.start(of: path)) else {
            throw ImportFailure.unknownFormat(path: path)
        }
        self.format = format
    }

    /// A gzipped Open Library dump that is downloaded while it is imported.
    ///
    /// A resumed import reads the download from its start, because positions are those of the decompressed dump.
    /// - Parameters:
    ///   - name: for messages.
    ///   - size: compressed bytes; 0 if unknown.
    ///   - version: equal for downloads of the same file.
    ///   - download: starts the download and returns its compressed bytes; called at most once.
    package init(
        dump name: String, size: Int, version: String, download: @escaping @Sendable () throws -> any ByteSource
    ) {
        (path, format, self.size) = (name, .openLibrary, size)
        fingerprint = "download \(version)"
        open = { try GzipBytes(download()) }
    }

    private static func start(of path: String) throws -> [UInt8] {
        do {
            return try openByteSource(at: path).chunk(1 << 16)
        } catch ImportFailure.truncatedGzip {
            throw ImportFailure.cannotRead(path: path, reason: ImportFailure.truncatedGzip.description)
        }
    }

    /// Detects the format from the content, not from the file's name.
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
    /// Returns the next bytes; fewer before the end of the file or a read error.
    ///
    /// - Throws: `ImportFailure` if the error comes first.
    func chunk(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                do {
                    let got = try read(into: rest)
                    if got == 0 { return }
                    filled += got
                } catch  where filled > 0 {
                    return  // the error occurs again on the next call
                }
            }
        }
    }
}
