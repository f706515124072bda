import Foundation
import Reading

extension DataFolder {
    /// Below this much free space a catalog or a batch of photos may not fit: 1 GB.
    static let enoughBytes = 1_000_000_000

    /// Returns the permissions of a file or folder that other users can open, such as `755`, else `nil`.
    ///
    /// - Throws: the file system's error.
    package static func permissions(ofOpen path: String) throws -> String? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let bits = (attributes[.posixPermissions] as? NSNumber)?.intValue, bits & 0o077 != 0 else { return nil }
        return String(bits & 0o777, radix: 8)
    }

    struct Disk {
        var exists: Bool
        var isWritable: Bool
        var freeBytes: Int
    }

    /// Returns the disk of `folder`, which does not have to exist.
    ///
    /// - Throws: the file system's error.
    static func disk(below folder: String) throws -> Disk {
        let manager = FileManager.default
        var nearest = URL(filePath: folder).absoluteURL
        while !manager.fileExists(atPath: nearest.path), nearest.path != "/" { nearest.deleteLastPathComponent() }
        let attributes = try manager.attributesOfFileSystem(forPath: nearest.path)
        var isFolder: ObjCBool = false
        _ = manager.fileExists(atPath: nearest.path, isDirectory: &isFolder)
        return Disk(
            exists: manager.fileExists(atPath: folder),
            isWritable: isFolder.boolValue && manager.isWritableFile(atPath: nearest.path),
            freeBytes: (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0)
    }
}
