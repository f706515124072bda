import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

/// Files whose writes fail as long as a test says.
private final class FailingDisk: Sendable {
    let isFull = Mutex(false)

    func file(_ url: URL) -> JSONFile<[String]> {
        JSONFile(url, as: .secret, fix: "Delete it.") { [self] data, url, kind throws(StorageError) in
            if isFull.withLock({ $0 }) { throw .diskFull(url.path) }
            try DurableFile.write(data, to: url, as: kind)
        }
    }
}

@Suite("Files that are kept in memory", .blocks) struct CachedJSONFileTests {
    private func url(in folder: borrowing TemporaryFolder) -> URL { folder.url.appending(path: "names.json") }

    private func file(_ url: URL, missing: [String]? = nil) throws -> CachedJSONFile<[String]> {
        let file = CachedJSONFile(
            JSONFile<[String]>(url, as: .secret, keepsVersions: true, fix: "Delete it."), content: [], missing: missing)
        try file.prepare()
        return file
    }

    @Test("Of two processes with one file, each changes what the other has written")
    func otherProcess() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let (first, second) = (try self.file(url), try self.file(url))
        try first.change { $0.append("Ada") }
        try second.change { $0.append("Bea") }
        #expect(try first.current() == ["Ada", "Bea"])
        try first.change { $0.removeAll { $0 == "Ada" } }
        try second.changeAtOnce { $0.append("Cleo") }
        #expect(try self.file(url).current() == ["Bea", "Cleo"])
    }

    @Test("A change of two processes at once is not lost")
    func atOnce() async throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let (first, second) = (try self.file(url), try self.file(url))
        try await withThrowingTaskGroup { group in
            for file in [first, second] {
                group.addTask {
                    try await onOwnThread {
                        for number in 1...20 { try file.change { $0.append("\(number)") } }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try self.file(url).current().count == 40)
    }

    @Test("A file that another process has damaged is named, and not overwritten")
    func damaged() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let file = try self.file(url)
        try file.change { $0.append("Ada") }
        try file.change { $0.append("Bea") }
        try Data("{".utf8).write(to: url)
        let error = #expect(throws: StorageError.self) { try file.change { $0.append("Cleo") } }
        let advice = "Replace it with names.json.1, its version before the last change. Delete it."
        #expect(error == .damaged(url.path, fix: advice))
        #expect(file.read { $0 } == ["Ada", "Bea"])
        #expect(try Data(contentsOf: url) == Data("{".utf8))
    }

    @Test("A file that is removed is written again, or counts as the value for that")
    func removed() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        for missing in [nil, []] as [[String]?] {
            let file = try self.file(url, missing: missing)
            try file.change { $0 = ["Ada"] }
            try FileManager.default.removeItem(at: url)
            try file.change { $0.append("Bea") }
            #expect(try self.file(url).current() == (missing ?? ["Ada"]) + ["Bea"])
        }
    }

    @Test("A change that cannot be stored is not made, unless it is to hold at once")
    func fullDisk() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let disk = FailingDisk()
        let file = CachedJSONFile(disk.file(url), content: ["Ada", "Bea", "Cleo"])
        try file.prepare()
        disk.isFull.withLock { $0 = true }
        #expect(throws: StorageError.diskFull(url.path)) { try file.change { $0.append("Dora") } }
        #expect(!file.isUnsaved)
        let removed = try file.changeAtOnce { $0.removeFirst() }
        #expect(removed == "Ada")
        #expect(file.read { $0 } == ["Bea", "Cleo"] && file.isUnsaved)
        #expect(throws: StorageError.diskFull(url.path)) { try file.store() }
        try file.changeAtOnce { _ = $0.removeFirst() }
        #expect(try disk.file(url).load() == ["Ada", "Bea", "Cleo"])

        disk.isFull.withLock { $0 = false }
        try file.store()
        #expect(!file.isUnsaved)
        #expect(try disk.file(url).load() == ["Cleo"])
    }

    @Test("A change that holds at once is stored with the next change")
    func storedWithNext() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let disk = FailingDisk()
        let file = CachedJSONFile(disk.file(url), content: ["Ada"])
        try file.prepare()
        disk.isFull.withLock { $0 = true }
        try file.changeAtOnce { $0 = [] }
        disk.isFull.withLock { $0 = false }
        try file.change { $0.append("Bea") }
        #expect(try disk.file(url).load() == ["Bea"] && !file.isUnsaved)
    }

    @Test("A change that could not be stored is made to what another process has written since")
    func replayed() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let disk = FailingDisk()
        let file = CachedJSONFile(disk.file(url), content: ["Ada", "Bea"])
        try file.prepare()
        disk.isFull.withLock { $0 = true }
        try file.changeAtOnce { $0.removeAll { $0 == "Ada" } }
        try file.changeAtOnce { _ = $0.removeLast() }
        try self.file(url).change { $0 = ["Ada", "Cleo", "Dora"] }
        #expect(try file.current() == ["Cleo"] && file.isUnsaved)
        disk.isFull.withLock { $0 = false }
        try file.store()
        #expect(try disk.file(url).load() == ["Cleo"] && !file.isUnsaved)
    }

    @Test("A change whose object another process has removed changes nothing more")
    func nothingToReplay() throws {
        struct Missing: Error {}
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let disk = FailingDisk()
        let file = CachedJSONFile(disk.file(url), content: ["Ada"])
        try file.prepare()
        disk.isFull.withLock { $0 = true }
        try file.changeAtOnce { names in
            names.append("Bea")
            guard names.first == "Ada" else { throw Missing() }
        }
        try self.file(url).change { $0 = ["Cleo"] }
        disk.isFull.withLock { $0 = false }
        try file.store()
        #expect(try disk.file(url).load() == ["Cleo"] && !file.isUnsaved)
    }

    @Test("A change that holds at once does not overwrite a damaged file, and storing it reports the damage")
    func damagedAtOnce() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let file = try self.file(url)
        try file.change { $0 = ["Ada", "Bea"] }
        try Data("{".utf8).write(to: url)
        try file.changeAtOnce { $0.removeAll { $0 == "Ada" } }
        #expect(file.read { $0 } == ["Bea"] && file.isUnsaved)
        let advice = "Replace it with names.json.1, its version before the last change. Delete it."
        #expect(throws: StorageError.damaged(url.path, fix: advice)) { try file.store() }
        #expect(try Data(contentsOf: url) == Data("{".utf8))
        try FileManager.default.removeItem(at: url)
        try file.store()
        #expect(try self.file(url).current() == ["Bea"])
    }

    @Test("A change that holds at once is also made to a file that could not be read yet")
    func unreadAtOnce() throws {
        struct Missing: Error {}
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        try Data("{".utf8).write(to: url)
        let file = CachedJSONFile(JSONFile<[String]>(url, as: .secret, fix: "Delete it."), content: [], missing: [])
        #expect(throws: StorageError.damaged(url.path, fix: "Delete it.")) {
            try file.changeAtOnce { if !$0.contains("Bea") { throw Missing() } }
        }
        #expect(!file.isUnsaved)
        try file.changeAtOnce { $0.removeAll { $0 == "Ada" } }
        #expect(file.isUnsaved)
        try Data(#"["Ada", "Bea"]"#.utf8).write(to: url)
        #expect(try file.current() == ["Bea"])
        try file.store()
        #expect(try self.file(url).current() == ["Bea"] && !file.isUnsaved)
    }

    @Test("A refused change changes nothing, also if it is to hold at once")
    func refused() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        struct Refused: Error {}
        let file = try self.file(url)
        #expect(throws: Refused.self) {
            try file.changeAtOnce {
                $0.append("Ada")
                throw Refused()
            }
        }
        #expect(file.read { $0 } == [] && !file.isUnsaved)
    }

    @Test("The last two versions of a file are kept, for its owner only")
    func versions() throws {
        let temporary = try TemporaryFolder()
        let url = url(in: temporary)
        let file = try self.file(url)
        for name in ["Ada", "Bea", "Cleo", "Dora"] { try file.change { $0 = [name] } }
        func stored(_ version: Int) throws -> [String]? {
            try JSONFile<[String]>(DurableFile.version(version, of: url), fix: "").load()
        }
        #expect(try stored(1) == ["Cleo"] && stored(2) == ["Bea"] && stored(3) == nil)
        let rights = try FileManager.default.attributesOfItem(atPath: "\(url.path).1")[.posixPermissions] as? NSNumber
        #expect(rights?.intValue == 0o600)
    }
}

@Suite struct DiskSpaceTests {
    @Test("The room on a disk is known, and that in a missing folder is not")
    func free() throws {
        let folder = try TemporaryFolder()
        #expect(try #require(DiskSpace.free(in: folder.url)) >= 0)
        #expect(DiskSpace.free(in: folder.url.appending(path: "missing")) == nil)
    }
}
