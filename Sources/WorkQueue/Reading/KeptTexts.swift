package import Foundation
import Imaging
import Reading
import Storage

/// Keeps the text of photos in a folder, so that a command which was interrupted does not have them read again.
package struct KeptTexts: Sendable {
    /// After which a file of a command that was not run again is deleted.
    private static let longest: TimeInterval = 7 * 24 * 3600

    private let folder: URL

    /// Creates the folder, and deletes old files.
    ///
    /// - Parameter models: with which the text is read; text of other models is not used.
    /// - Throws: errors of the folder.
    package init(in folder: URL, models: String) throws {
        self.folder = folder.appending(path: models, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        let files = try FileManager.default.contentsOfDirectory(
            at: self.folder, includingPropertiesForKeys: [.contentModificationDateKey])
        for file in files {
            let date = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            if let date, date.timeIntervalSinceNow < -Self.longest { try FileManager.default.removeItem(at: file) }
        }
    }

    /// The text of a photo; nil where it was not kept.
    func text(_ key: String, limits: PhotoLimits) -> PhotoText? {
        // A file that is missing or damaged is read again.
        guard let data = try? Data(contentsOf: file(key)) else { return nil }
        return try? PhotoText(result: [UInt8](data), limits: limits)
    }

    func keep(_ result: [UInt8], as key: String) throws {
        // Another command may have deleted it at its end.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try DurableFile.write(result, to: file(key), as: .cache)
    }

    /// Deletes everything, once the results are printed.
    package func removeAll() throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        try FileManager.default.removeItem(at: folder)
    }

    private func file(_ key: String) -> URL { folder.appending(path: key + ".json", directoryHint: .notDirectory) }
}
