import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

private func permissions(_ file: URL) throws -> Int? {
    try (FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber)?.intValue
}

/// Returns what the umask of the tests leaves of these permissions.
private func masked(_ permissions: mode_t) throws -> Int? {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "masked")
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, permissions)
    try #require(descriptor >= 0)
    close(descriptor)
    return try StorageTests.permissions(file)
}

@Suite("Durable files") struct DurableFileTests {
    @Test(
        "A file is replaced as a whole, and no temporary file is left",
        arguments: [(.secret, 0o600), (.data, 0o644), (.cache, 0o644)] as [(DurableFile.Kind, mode_t)])
    func replaces(_ kind: DurableFile.Kind, _ mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "a.txt")
        for text in ["a longer text", "short"] {
            try DurableFile.write(Data(text.utf8), to: file, as: kind)
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.txt"])
        #expect(try permissions(file) == masked(mode))
    }

    @Test("What holds keys is synced and readable by its owner only, also in place of an open file")
    func secrets() throws {
        #expect(DurableFile.Kind.secret.isSynced)
        #expect(DurableFile.Kind.allCases.filter { !$0.isSynced } == [.cache])
        let folder = try TemporaryFolder()
        let file = JSONFile<[String]>(
            folder.url.appending(path: "new/keys.json"), as: .secret, fix: "Delete it.")
        try FileManager.default.createDirectory(
            at: file.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("[]".utf8).write(to: file.url)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
        try file.save(["key"])
        #expect(try permissions(file.url) == masked(0o600))
    }

    @Test("A file that cannot be written is named, and what was there stays")
    func unwritable() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "missing/a.txt")
        let error = #expect(throws: StorageError.self) { try DurableFile.write(Data(), to: file) }
        #expect(error == .cannotWrite(file.path, reason: String(errno: ENOENT)))
        #expect(error?.description.hasPrefix("\(file.path): It could not be written: ") == true)
        // A folder cannot be replaced by a file.
        let occupied = folder.url.appending(path: "occupied")
        try FileManager.default.createDirectory(
            at: occupied.appending(path: "child"), withIntermediateDirectories: true)
        #expect(throws: StorageError.self) { try DurableFile.write(Data(), to: occupied) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["occupied"])
    }

    @Test("A file that was written in pieces is read in pieces")
    func pieces() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "a.bin")
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        let new = try NewFile(url, for: url)
        try new.write(Array(bytes[..<1000]))
        try new.write(Array(bytes[1000...]))
        try new.sync()
        #expect(throws: StorageError.self) { _ = try NewFile(url, for: url) }
        let file = try OpenFile(url)
        let size = try file.size
        let start = try file.read(10)
        #expect(size == 5000 && start == Array(bytes[..<10]))
        try file.rewind()
        let isSkipped = file.skip(4990)
        #expect(isSkipped)
        let end = try file.read(100)
        #expect(end == Array(bytes[4990...]))
    }
}

@Suite("Files with one JSON value") struct JSONFileTests {
    private func file(_ folder: borrowing TemporaryFolder) -> JSONFile<[String: Int]> {
        JSONFile(folder.url.appending(path: "new/values.json"), fix: "Delete it and choose again.")
    }

    @Test("A value is stored in a new folder and read again; a missing file has none")
    func stores() throws {
        let folder = try TemporaryFolder()
        let file = file(folder)
        #expect(try file.load() == nil)
        try file.save(["a": 1])
        try file.save(["b": 2])
        #expect(try file.load() == ["b": 2])
    }

    @Test("A damaged file is named with what to do, and not treated as missing", arguments: ["", "{", "[1]"])
    func damaged(_ content: String) throws {
        let folder = try TemporaryFolder()
        let file = file(folder)
        try file.save([:])
        try Data(content.utf8).write(to: file.url)
        let error = #expect(throws: StorageError.self) { try file.load() }
        #expect(error?.description == "\(file.url.path) is damaged. Delete it and choose again.")
    }

    @Test("A file that cannot be read is not treated as missing")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let file = file(folder)
        try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
        #expect(throws: StorageError.self) { try file.load() }
    }
}

@Suite("Locks between processes", .blocks) struct FileLockTests {
    @Test("Owners share a lock or have it alone")
    func modes() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "lock")
        #expect(!FileLock.isHeld(file))
        var owners = [try FileLock(ifFree: file, .shared), try FileLock(ifFree: file, .shared)]
        #expect(owners.allSatisfy { $0 != nil })
        #expect(try FileLock(ifFree: file) == nil && !FileLock.isHeld(file))
        owners = []
        owners = [try FileLock(ifFree: file)]
        #expect(FileLock.isHeld(file))
        #expect(try permissions(file) == masked(0o600))
        for mode in [FileLock.Mode.shared, .exclusive] { #expect(try FileLock(ifFree: file, mode, attempts: 3) == nil) }
        owners = []
        #expect(!FileLock.isHeld(file))
    }

    @Test("A lock is waited for, and its file can be deleted by the owner")
    func waits() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "lock")
        for deletes in [false, true] {
            var first = try FileLock(ifFree: file)
            let state = Mutex((isAsked: false, isOwned: false))
            async let second = onOwnThread {
                state.withLock { $0.isAsked = true }
                let lock = try FileLock(file)
                state.withLock { $0.isOwned = true }
                return lock
            }
            try await eventually { state.withLock(\.isAsked) }
            // A lock that did not wait would be taken during these attempts.
            #expect(try FileLock(ifFree: file, attempts: 50) == nil)
            let isTaken = state.withLock(\.isOwned)
            #expect(!isTaken)
            if deletes { first?.removeFile() }
            first = nil
            let owner = try await second
            #expect(FileLock.isHeld(file), "of the file that has the name")
            #expect(try FileLock(ifFree: file) == nil)
            owner.removeFile()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("The content of a locked file is replaced by a shorter one")
    func content() throws {
        let folder = try TemporaryFolder()
        let lock = try FileLock(folder.url.appending(path: "state"))
        for text in ["a longer text", "short"] {
            try lock.overwrite(Array(text.utf8))
            #expect(lock.content(limit: 100) == Array(text.utf8))
        }
        #expect(lock.content(limit: 2) == Array("sh".utf8))
    }
}
