import Foundation
import Storage

/// A file with one entry of the audit log in each line, and the files before it: `audit.jsonl`, `audit.1.jsonl` and so on.
struct AuditFile {
    private let url: URL
    private let maxLines: Int
    private var lines = 0

    /// The number of full files that are kept; the oldest one is deleted.
    static let keptFiles = 5

    /// - Parameter maxLines: the number of lines after which a new file is begun.
    init(_ url: URL, maxLines: Int) { (self.url, self.maxLines) = (url, maxLines) }

    /// Reads the entries of the file and of the one before it, oldest first.
    mutating func load() -> [AuditEntry] {
        let newline = UInt8(ascii: "\n")
        func lines(_ file: URL) -> [Data] { ((try? Data(contentsOf: file)) ?? Data()).split(separator: newline) }
        let current = lines(url)
        self.lines = current.count
        return (lines(full(1)) + current).enumerated().compactMap { index, line in
            // A line that power was lost in is not an entry.
            guard var entry = try? JSONDecoder().decode(AuditEntry.self, from: Data(line)) else { return nil }
            entry.number = entry.number ?? index
            return entry
        }
    }

    /// - Throws: `StorageError`, `CocoaError`.
    mutating func append(_ entry: AuditEntry) throws {
        if lines >= maxLines { try rotate() }
        if !FileManager.default.fileExists(atPath: url.path) {
            try DurableFile.write(Data(), to: url, as: .secret)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let newline = Data([UInt8(ascii: "\n")])
        var line = try encoder.encode(entry) + newline
        let handle = try FileHandle(forUpdating: url)
        defer { try? handle.close() }
        let end = try handle.seekToEnd()
        if end > 0 {
            // After a line that is not complete, the entry would be lost as well.
            try handle.seek(toOffset: end - 1)
            if try handle.read(upToCount: 1) != newline { line = newline + line }
        }
        try handle.write(contentsOf: line)
        lines += 1
    }

    /// Begins a new file.
    private mutating func rotate() throws {
        for number in (1..<Self.keptFiles).reversed() { try move(full(number), to: full(number + 1)) }
        try move(url, to: full(1))
        lines = 0
    }

    private func move(_ file: URL, to destination: URL) throws {
        guard rename(file.path, destination.path) == 0 || errno == ENOENT else {
            throw StorageError(errno, writing: destination)
        }
    }

    /// Returns a full file; 1 is the newest.
    private func full(_ number: Int) -> URL {
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appending(path: "\(name).\(number).jsonl")
    }
}
