import Bounds
import Crypto
package import Foundation
import Storage

/// A writer for a tar file (POSIX.1-1988 ustar), front to back; any `tar` can unpack it.
///
/// The archive is not compressed: photos and covers already are, and the database gains little.
struct TarWriter: ~Copyable {
    private let file: ArchiveOutput

    init(_ file: ArchiveOutput) { self.file = file }

    /// Adds a file of known size.
    ///
    /// - Parameters:
    ///   - name: ASCII, at most 100 bytes, the limit of ustar.
    ///   - read: returns the next bytes, about as many as asked for.
    /// - Returns: the SHA-256 of the data written.
    private func add(_ name: String, size: Int, _ read: (Int) throws -> [UInt8]) throws -> String {
        guard name.utf8.count <= 100, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw StorageError.file(name, reason: "Its name does not fit into the archive (100 letters of ASCII).")
        }
        try file.write(Self.header(name, size: size))
        var hash = SHA256()
        var left = size
        while left > 0 {
            let piece = try read(min(left, 1 << 20))
            guard !piece.isEmpty else {
                throw StorageError.file(name, reason: "It became shorter while it was backed up. Try again.")
            }
            hash.update(data: piece)
            try file.write(piece)
            left -= piece.count
        }
        try file.write([UInt8](repeating: 0, count: (512 - size % 512) % 512))
        return hash.finalize().hex
    }

    func add(_ name: String, _ bytes: [UInt8]) throws -> String { try add(name, size: bytes.count) { _ in bytes } }

    func add(_ name: String, file: URL) throws -> String {
        let source = try OpenFile(file)
        return try add(name, size: try source.size) { try source.read($0) }
    }

    /// Ends the archive and syncs it to disk.
    func finish() throws {
        try file.write([UInt8](repeating: 0, count: 1024))
        try file.finish()
    }

    private static func header(_ name: String, size: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int, digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0)
        put(octal(0o644, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        if size < 8 << 30 {
            put(octal(size, digits: 11), at: 124)
        } else {
            // Sizes that octal digits cannot hold use the binary form of GNU tar, which POSIX readers accept.
            header[124] = 0x80
            for index in 0..<8 { header[135 - index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
        }
        put(octal(Int(saturating: Date().timeIntervalSince1970), digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(octal(sum, digits: 6) + "\0 ", at: 148)
        return header
    }
}

/// A reader for a tar file, front to back.
package struct TarReader: ~Copyable {
    private let file: ArchiveInput
    private let url: URL

    var isEncrypted: Bool { file.isEncrypted }

    /// - Parameter passphrase: of an encrypted archive; with one, no other archive is accepted.
    /// - Throws: `StorageError`, also without the right passphrase.
    package init(_ url: URL, passphrase: String? = nil) throws {
        self.url = url
        file = try ArchiveInput(url, passphrase: passphrase)
    }

    /// Calls `body` with each file's name, its size, and a function that returns its next bytes, or none at its end.
    ///
    /// `body` need not read the whole file.
    ///
    /// - Throws: `LibraryError.damaged` if the file is not a Shelflist backup.
    package func forEach(_ body: (String, Int, () throws -> [UInt8]) throws -> Void) throws {
        while true {
            let header = try read(512)
            if header.allSatisfy({ $0 == 0 }) { return }
            let (name, size) = try entry(header)
            var left = size
            try body(name, size) {
                let piece = try read(min(left, 1 << 20))
                left -= piece.count
                return piece
            }
            guard try file.skip(left) else { throw damaged("it ends too early") }
            _ = try read((512 - size % 512) % 512)
        }
    }

    private func entry(_ header: [UInt8]) throws -> (String, Int) {
        var blank = header
        for index in 148..<156 { blank[index] = 0x20 }
        let stated = octal(header[148..<156])
        guard stated == blank.reduce(0, { $0 + Int($1) }), header[257..<262].elementsEqual("ustar".utf8),
            header[156] == UInt8(ascii: "0"), let size = number(header[124..<136]), size >= 0
        else { throw damaged("it is not a Shelflist backup") }
        let name = String(decoding: header[..<100].prefix { $0 != 0 }, as: UTF8.self)
        return (name, size)
    }

    private func number(_ field: ArraySlice<UInt8>) -> Int? {
        guard field.first == 0x80 else { return octal(field) }
        let size = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: size)
    }

    private func octal(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = field.prefix { $0 != 0 && $0 != 0x20 }
        // `Int` would also accept a sign.
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private func read(_ count: Int) throws -> [UInt8] {
        let bytes = try file.read(count)
        guard bytes.count == count else { throw damaged("it ends too early") }
        return bytes
    }

    private func damaged(_ what: String) -> LibraryError {
        .damaged("\(url.path) cannot be used: \(what). Take another backup; nothing was changed.")
    }
}

extension Digest {
    /// The bytes as hexadecimal digits.
    package var hex: String { map { String(format: "%02x", $0) }.joined() }
}
