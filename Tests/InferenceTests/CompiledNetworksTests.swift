import Foundation
import Inference
import TestSupport
import Testing

extension Reading {
    @Suite("Compiled networks") final class CompiledNetworksTests: Sendable {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }
    }
}

extension Reading.CompiledNetworksTests {
    private static let input = Tensor(shape: [1, 3, 64, 96], values: (0..<(3 * 64 * 96)).map { Float($0 % 97) / 97 })

    /// A kept detector contains its weights; the rest differs by some hundred bytes each time.
    private static let weightBytes = 9_000_000

    @Test("The next process uses what the first one kept, with the same results")
    func secondProcess() async throws {
        let first = try await run()
        let kept = try onlyFile()
        let written = try modified(kept)
        let permissions = try FileManager.default.attributesOfItem(atPath: kept.path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        #expect(try await run() == first)
        #expect(try onlyFile() == kept)
        #expect(try modified(kept) == written)
        #expect(try unfinished().isEmpty)
        #expect(try await run(keeping: false) == first)
    }

    @Test("A damaged network is replaced", .whenReadingChanges, arguments: [0, 20, 4_000, 2_000_000])
    func damaged(_ length: Int) async throws {
        let first = try await run()
        let kept = try onlyFile()
        let content = try Data(contentsOf: kept)
        #expect(content.count > Self.weightBytes)
        try replace(kept, with: content.prefix(length))
        #expect(try await run() == first)
        #expect(try await run() == first)
        #expect(try Data(contentsOf: try onlyFile()).count > Self.weightBytes)
    }

    @Test("Two files in the folder of one network are a mixture, and replaced", .whenReadingChanges)
    func twoFiles() async throws {
        _ = try await run()
        let kept = try onlyFile()
        try Data([1]).write(to: kept.deletingLastPathComponent().appending(path: "other.blob"))
        _ = try await run()
        #expect(try onlyFile().lastPathComponent == kept.lastPathComponent)
    }

    @Test(
        "Networks of other releases and processors are deleted, those of other running processes are not",
        .whenReadingChanges)
    func otherEnvironments() async throws {
        let old = folder.url.appending(path: "2020-1-0-old-processor/detection-any")
        let running = folder.url.appending(path: "new-other")
        for folder in [old, running] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        _ = try await run()
        #expect(!FileManager.default.fileExists(atPath: old.deletingLastPathComponent().path))
        #expect(FileManager.default.fileExists(atPath: running.path))

        try running.setAge(2 * 86_400)
        try FileManager.default.removeItem(at: try onlyFile().deletingLastPathComponent())
        _ = try await run()
        #expect(!FileManager.default.fileExists(atPath: running.path))
    }

    @Test("Of more than twelve networks the least recently used is deleted", .whenReadingChanges)
    func leastRecentlyUsed() async throws {
        let budget = ComputeBudget(streams: 1, threads: 1)
        func load(_ width: Int) throws {
            _ = try Model(
                contentsOf: file("detection.onnx"), shape: [1, 3, 32, width], budget: budget,
                keptIn: CompiledNetworks(in: folder.url))
        }
        for step in 1...12 { try load(32 * step) }
        try load(32)
        try load(32 * 13)
        let environment = try #require(try contents(of: folder.url).first)
        let widths = try contents(of: environment).compactMap {
            $0.lastPathComponent.split(separator: "x").last.flatMap { Int($0) }
        }
        #expect(widths.sorted() == ([1] + Array(3...13)).map { 32 * $0 })
    }

    @Test("Without a folder to write to, networks are compiled each time", .whenReadingChanges)
    func noFolder() async throws {
        let file = folder.url.appending(path: "file")
        try Data([1]).write(to: file)
        let networks = CompiledNetworks(in: file.appending(path: "networks"))
        #expect(try await run(networks) == run(keeping: false))
    }

    @Test("Several processes at once keep one network", .whenReadingChanges)
    func atOnce() async throws {
        let results = try await withThrowingTaskGroup(of: [Float].self) { group in
            for _ in 0..<4 { group.addTask { try await self.run() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results).count == 1)
        _ = try onlyFile()
        #expect(try unfinished().isEmpty)
    }

    /// The detector's output after loading it as a new process does.
    private func run(keeping: Bool = true) async throws -> [Float] {
        try await run(keeping ? CompiledNetworks(in: folder.url) : nil)
    }

    private func run(_ networks: CompiledNetworks?) async throws -> [Float] {
        let model = try Model(
            contentsOf: file("detection.onnx"), shape: Self.input.shape, budget: ComputeBudget(streams: 1, threads: 1),
            keptIn: networks)
        return try await model.run(Self.input) { Array($0.values) }
    }

    private func onlyFile() throws -> URL {
        let environments = try contents(of: folder.url).filter { !$0.lastPathComponent.hasPrefix("new-") }
        let networks = try contents(of: #require(environments.first))
        let files = try contents(of: #require(networks.first))
        #expect(environments.count == 1 && networks.count == 1 && files.count == 1)
        return try #require(files.first)
    }

    private func unfinished() throws -> [URL] {
        try contents(of: folder.url).filter { $0.lastPathComponent.hasPrefix("new-") }
    }

    private func contents(of folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    private func modified(_ file: URL) throws -> Date {
        try #require(FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date)
    }

    /// Replaces a file, which the runtime writes read-only.
    private func replace(_ file: URL, with content: Data) throws {
        try FileManager.default.removeItem(at: file)
        try content.write(to: file)
    }
}
