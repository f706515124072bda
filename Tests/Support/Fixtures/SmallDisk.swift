package import Foundation

/// A file system of a few megabytes in memory.
///
/// Mounting requires root on Linux; the suite is skipped without that permission.
package final class SmallDisk: Sendable {
    package let folder: URL

    /// - Throws: if mounting is not permitted.
    package init(megabytes: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "shelflist-test", folder.path) == 0
        else {
            try FileManager.default.removeItem(at: folder)
            throw POSIXError(.EPERM)
        }
    }

    deinit {
        do {
            _ = try Self.run("umount", "-l", folder.path)
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("left behind: \(folder.path)")
        }
    }

    package static let isPermitted: Bool = {
        do { return try SmallDisk(megabytes: 1).folder.isFileURL } catch { return false }
    }()

    /// Fills the free space except for `bytes`.
    package func fill(butFor bytes: Int, named name: String = "ballast") throws {
        let ballast = folder.appending(path: name)
        let free = try FileManager.default.attributesOfFileSystem(forPath: folder.path)[.systemFreeSize] as? Int ?? 0
        try Data(count: max(0, free - bytes)).write(to: ballast)
    }

    /// Removes all ballast files.
    package func empty() throws {
        for name in ["ballast", "rest"] where FileManager.default.fileExists(atPath: folder.appending(path: name).path)
        {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    private static func run(_ words: String...) throws -> Int32 {
        try ChildProcess(words).waitUntilExit()
    }
}
