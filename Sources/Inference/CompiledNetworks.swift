package import Foundation

/// A folder in which compiled networks are kept, so that the next process starts in about half the time.
///
/// Each network has a folder of its own, which is complete or absent, also after a crash or a power cut. The runtime
/// itself checks that a kept network belongs to the model and was made by the same release.
package struct CompiledNetworks: Sendable {
    /// The number of networks to keep: two recognisers, and two detectors for photos and viewfinders of several proportions.
    ///
    /// They take 2 to 20 MB each.
    private static let capacity = 12

    private let folder: URL

    /// - Parameter folder: is created when the first network is kept.
    package init(in folder: URL) { self.folder = folder }

    /// Compiles a network, using what was kept or keeping the result.
    ///
    /// Nothing fails because a network cannot be kept or used: it is then compiled as without this folder.
    ///
    /// - Parameters:
    ///   - name: of the network and its shape; a file name.
    ///   - environment: runtime and processor that the network is compiled for; a file name. Networks of other
    ///     environments are deleted.
    ///   - compile: compiles; if it gets a folder, the runtime uses or writes one file there.
    func compile<Network>(
        _ name: String, for environment: String, _ compile: (URL?) throws(InferenceError) -> Network
    ) throws(InferenceError) -> Network {
        let kept = folder.appending(path: environment).appending(path: name)
        if Self.holdsOneFile(kept) {
            // A file that the runtime refuses is followed by a second one, or by an error.
            if let network = try? compile(kept), Self.holdsOneFile(kept) {
                markAsUsed(kept)
                return network
            }
        }
        try? FileManager.default.removeItem(at: kept)
        guard let new = newFolder() else { return try compile(nil) }
        defer { try? FileManager.default.removeItem(at: new) }
        guard let network = try? compile(new) else { return try compile(nil) }
        keep(new, as: kept)
        return network
    }

    private static func holdsOneFile(_ folder: URL) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) == 1
    }

    private func newFolder() -> URL? {
        let new = folder.appending(path: "new-\(UUID().uuidString)")
        let created: Void? = try? FileManager.default.createDirectory(
            at: new, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return created.map { new }
    }

    /// Renames a folder after its file has reached the disk.
    private func keep(_ new: URL, as kept: URL) {
        let environment = kept.deletingLastPathComponent()
        do {
            for file in try FileManager.default.contentsOfDirectory(at: new, includingPropertiesForKeys: nil) {
                // The runtime gives its file to the group, whatever the umask is.
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
                let handle = try FileHandle(forReadingFrom: file)
                try handle.synchronize()
                try handle.close()
            }
            try FileManager.default.createDirectory(at: environment, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: new, to: kept)
        } catch {
            // Another process was faster, or the disk is full or cannot be written to: nothing is kept.
            return
        }
        deleteOthers(than: environment)
        deleteLeastRecentlyUsed(in: environment)
    }

    /// The date of a network's folder is that of its last use.
    private func markAsUsed(_ kept: URL) {
        try? FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: kept.path)
    }

    private func deleteLeastRecentlyUsed(in environment: URL) {
        let newestFirst = folders(in: environment).sorted { $0.used > $1.used }
        for (folder, _) in newestFirst.dropFirst(Self.capacity) { try? FileManager.default.removeItem(at: folder) }
    }

    private func folders(in parent: URL) -> [(folder: URL, used: Date)] {
        let found =
            (try? FileManager.default.contentsOfDirectory(
                at: parent, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
        return found.map { folder in
            let date = try? folder.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            return (folder, date ?? .distantPast)
        }
    }

    /// Deletes networks of other environments, and what a process left that was killed more than a day ago.
    private func deleteOthers(than environment: URL) {
        for (sibling, changed) in folders(in: folder) where sibling.lastPathComponent != environment.lastPathComponent {
            let isOthers = sibling.lastPathComponent.hasPrefix("new-") && changed.timeIntervalSinceNow > -86_400
            if !isOthers { try? FileManager.default.removeItem(at: sibling) }
        }
    }
}
