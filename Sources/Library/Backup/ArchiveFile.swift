import Crypto
import Foundation
import Storage

/// The file of a new archive, encrypted if there is a passphrase.
final class ArchiveOutput {
    private let file: NewFile
    private var chunks: AgeChunks?
    /// At most one chunk, because the last one is sealed differently and not known before the end.
    private var waiting: [UInt8] = []

    /// - Parameter destination: the file that errors name, if the archive is renamed at the end.
    /// - Throws: `StorageError` if the file cannot be created or already exists.
    init(_ url: URL, for destination: URL, passphrase: String?) throws {
        file = try NewFile(url, for: destination, permissions: 0o600)
        guard let passphrase else { return }
        let fileKey = SymmetricKey(size: .bits128)
        let header = try AgeFormat.header(fileKey, passphrase: passphrase, workFactor: AgeFormat.workFactor)
        let nonce = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        try file.write(Data("\(header) \(AgeFormat.base64(AgeFormat.code(of: header, fileKey)))\n".utf8) + nonce)
        chunks = AgeChunks(fileKey, nonce: nonce)
    }

    func write(_ bytes: [UInt8]) throws {
        guard chunks != nil else { return try file.write(bytes) }
        waiting += bytes
        var start = 0
        while waiting.count - start > AgeFormat.chunkSize {
            try seal(Array(waiting[start..<start + AgeFormat.chunkSize]), isLast: false)
            start += AgeFormat.chunkSize
        }
        waiting.removeFirst(start)
    }

    /// Writes what is left and syncs the file to disk.
    func finish() throws {
        if chunks != nil { try seal(waiting, isLast: true) }
        waiting = []
        try file.sync()
    }

    private func seal(_ chunk: [UInt8], isLast: Bool) throws {
        guard let sealed = try chunks?.seal(chunk, isLast: isLast) else { return }
        try file.write(sealed)
    }
}

/// The file of an archive, read from front to back and decrypted if it is encrypted.
final class ArchiveInput {
    private let url: URL
    private let file: OpenFile
    private var chunks: AgeChunks?
    /// The encrypted bytes that are not read yet.
    private var left = 0
    private var decrypted: ArraySlice<UInt8> = []

    var isEncrypted: Bool { chunks != nil }

    /// - Parameter passphrase: of an encrypted archive; with one, no other archive is accepted: anyone who can write
    ///   to the folder of the backups could put one there.
    /// - Throws: `StorageError`, also without the right passphrase; `LibraryError.damaged`.
    init(_ url: URL, passphrase: String?) throws {
        self.url = url
        file = try OpenFile(url)
        guard try file.read(AgeFormat.firstLine.utf8.count) == Array(AgeFormat.firstLine.utf8) else {
            guard passphrase == nil else {
                throw StorageError.file(
                    url.path,
                    reason: "It is not encrypted, although a passphrase was given. If it is yours, restore it with "
                        + "--not-encrypted.")
            }
            try file.rewind()
            return
        }
        guard let passphrase else {
            throw StorageError.file(url.path, reason: "It is encrypted. Give its passphrase with --passphrase-file.")
        }
        let stanza = try line()
        let parts = stanza.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "->", parts[1] == "scrypt", let salt = AgeFormat.data(base64: parts[2]),
            salt.count == 16, let factor = Int(parts[3]), (1...AgeFormat.maxWorkFactor).contains(factor)
        else {
            throw StorageError.file(
                url.path,
                reason: "It is not encrypted with a passphrase that Shelflist can use. Decrypt it with age first.")
        }
        let wrapped = try line()
        let key = try AgeFormat.data(base64: wrapped).flatMap {
            try AgeFormat.fileKey($0, passphrase: passphrase, salt: salt, workFactor: factor)
        }
        guard let key else { throw StorageError.file(url.path, reason: "The passphrase is wrong. Check it.") }
        let last = try line()
        let header = "\(AgeFormat.firstLine)\(stanza)\n\(wrapped)\n---"
        guard last.hasPrefix("--- "), let code = AgeFormat.data(base64: last.dropFirst(4)),
            AgeFormat.isCode(code, of: header, key)
        else { throw damaged }
        let nonce = try file.read(16)
        left = try file.size - "\(header) ".utf8.count - last.dropFirst(4).utf8.count - 1 - nonce.count
        guard nonce.count == 16, left > 0 else { throw damaged }
        chunks = AgeChunks(key, nonce: Data(nonce))
    }

    /// - Returns: the next `count` bytes; fewer at the end of the archive.
    func read(_ count: Int) throws -> [UInt8] {
        guard chunks != nil else { return try file.read(count) }
        var result: [UInt8] = []
        while result.count < count {
            if decrypted.isEmpty, try !openChunk() { break }
            let piece = decrypted.prefix(count - result.count)
            result += piece
            decrypted = decrypted.dropFirst(piece.count)
        }
        return result
    }

    /// - Returns: whether there is as much.
    func skip(_ count: Int) throws -> Bool {
        guard chunks != nil else { return file.skip(count) }
        var left = count
        while left > 0 {
            let piece = try read(min(left, 1 << 20))
            guard !piece.isEmpty else { return false }
            left -= piece.count
        }
        return true
    }

    /// - Returns: whether there was another chunk.
    private func openChunk() throws -> Bool {
        guard left > 0 else { return false }
        let chunk = try file.read(min(left, AgeFormat.chunkSize + AgeFormat.tagSize))
        left -= chunk.count
        do {
            guard chunk.count >= AgeFormat.tagSize, let opened = try chunks?.open(chunk, isLast: left == 0) else {
                throw damaged
            }
            decrypted = opened[...]
        } catch is CryptoKitError {
            throw damaged
        }
        return true
    }

    /// Returns the next line of the header.
    private func line() throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < 200 {
            guard let byte = try file.read(1).first else { throw damaged }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        throw damaged
    }

    private var damaged: LibraryError {
        .damaged("\(url.path) cannot be used: it is damaged. Take another backup; nothing was changed.")
    }
}
