import Fixtures
import Foundation
import ReadingFixtures
import TestSupport
import Testing

extension Reading { @Suite("Recorded photos") struct RecordedPhotoTests {} }

extension Reading.RecordedPhotoTests {
    /// The share of the lines that may differ on a processor that rounds otherwise.
    private static let tolerance = 0.03
    /// Lines below this score differ between processors, and rarely name a book.
    private static let sureScore = 0.8

    @Test("The reader finds in the photos of the tests what is recorded", .whenReadingChanges)
    func records() async throws {
        let recorded = try ExampleScan.checkout().appending(path: "Tests/Recorded")
        let known = Set(try Self.files(in: recorded, of: "json").map(Self.name))
        // Apart from the others, because few networks are kept.
        let cache = SharedCache.folder.appending(path: "recorded")
        let scanner = try RecordedPhoto.scanner(ExampleScan.installation(), cache: cache)
        var read: Set<String> = []
        for file in try Self.photos() {
            let bytes = [UInt8](try Data(contentsOf: file))
            for (name, now) in try await RecordedPhoto.records(of: bytes, named: Self.name(file), with: scanner) {
                read.insert(name)
                let file = recorded.appending(path: "\(name).json")
                let before = try JSONDecoder().decode(RecordedPhoto.self, from: Data(contentsOf: file))
                let advice: Comment = "\(name): record it again with Scripts/web/record.sh."
                #expect(now.fingerprint.matches(before.fingerprint), advice)
                #expect(Self.missing(before, in: now) <= Self.tolerance, advice)
                #expect(Self.missing(now, in: before) <= Self.tolerance, advice)
                #expect(abs(now.spines.count - before.spines.count) <= 1, advice)
            }
        }
        #expect(read == known, "There is a record without a photo, or a photo without a record.")
    }

    /// Returns the share of the lines of a record that another one does not have at the same place.
    private static func missing(_ record: RecordedPhoto, in other: RecordedPhoto) -> Double {
        let sure = record.texts.filter { $0.score >= sureScore }
        let missing = sure.count { line in
            !other.texts.contains { $0.text == line.text && abs($0.x - line.x) < 0.01 && abs($0.y - line.y) < 0.01 }
        }
        return sure.isEmpty ? 0 : Double(missing) / Double(sure.count)
    }

    /// Makes the photos of the web app's tests.
    private static func photos() throws -> [URL] {
        let script = try ExampleScan.checkout().appending(path: "Tests/Web/pictures.py")
        let (status, output) = try ChildProcess.output(of: ["python3", script.path])
        try #require(status == 0)
        let folder = URL(filePath: output.trimmingCharacters(in: .whitespacesAndNewlines))
        return try [ExamplePhoto.photo()] + files(in: folder, of: "jpg")
    }

    private static func files(in folder: URL, of kind: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == kind }
    }

    private static func name(_ file: URL) -> String { file.deletingPathExtension().lastPathComponent }
}
