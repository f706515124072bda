package import Foundation

/// A file system of a few megabytes in memory.
///
/// Mounting requires `CAP_SYS_ADMIN` on Linux; the suite is skipped without it.
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

    /// Whether this process has `CAP_SYS_ADMIN`.
    ///
    /// Does not try to mount, because a mount that fails has to fail the tests instead of skipping them.
    package static let isPermitted: Bool = {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let mask = status.firstMatch(of: /CapEff:\s*([0-9a-f]+)/).flatMap({ UInt64($0.1, radix: 16) })
        else { return false }
        return mask & (1 << 21) != 0
    }()

    /// Fills the free space except for `bytes`.
    package func fill(butFor bytes: Int, named name: String = "ballast") throws {
        let ballast = folder.appending(path: name)
        let free = try FileManager.default.attributesOfFileSystem(forPath: folder.path)[.systemFreeSize] as? Int ?? 0
        try Data(count: max(0, free - bytes)).write(to: ballast)
    }

    /// Removes all ballast files.
    package func empty() throws {
        for file in ["ballast", "rest"].map({ folder.appending(path: $0) })
        where FileManager.default.fileExists(atPath: file.path) {
            // A program that another test started may have the file open, too, and would keep its content.
            try Data().write(to: file)
            try FileManager.default.removeItem(at: file)
        }
    }

    private static func run(_ words: String...) throws -> Int32 {
        try ChildProcess(words).waitUntilExit()
    }
}
