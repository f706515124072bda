import Bibliography
import Catalog
import Foundation
import Testing

/// Imports damaged files of every format: the import must end without a crash, and the catalog must stay valid.
@Suite("Importing damaged files")
struct ImportFuzzTests {
    /// Set `SHELFLIST_FUZZ_ROUNDS=1000` for a long run.
    private static let rounds =
        ProcessInfo.processInfo.environment["SHELFLIST_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 25

    private static let seeds = ["utf8.mrc", "marc8.mrc", "records.xml", "dump", "dump.gz", "csv"]

    private func original(_ name: String, _ folder: CatalogFolder) throws -> [UInt8] {
        switch name {
        case "dump": return Array((SampleDump.editions + SampleDump.works + SampleDump.authors).utf8)
        case "csv":
            return Array("title,author,isbn\n\"A \"\"b\"\", c\",x y,9780063021426\nÉté;x|\t,,\n\n1,2,3,4\n".utf8)
        case "dump.gz": return try fixture("dump.txt.gz")
        default: return try fixture(name)
        }
    }

    @Test("An import survives damaged files", arguments: seeds, 0..<rounds)
    func survives(_ name: String, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ UInt64(name.utf8.count))
        let folder = try CatalogFolder()
        var bytes = try original(name, folder)
        for _ in 0..<Int.random(in: 1...12, using: &random) { mutate(&bytes, &random) }
        let report = try folder.catalog.importFiles([folder.file("fuzzed", bytes)])
        #expect(report.files.count == 1)
        let info = try folder.catalog.info()
        #expect(info.isIndexed || report.hasFailures)
        // Everything that was imported can be searched.
        _ = try folder.catalog.search("babel")
        for word in ["a", "the", "kuang"] { _ = try folder.catalog.candidates(forWords: [word], limit: 5) }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2:
            bytes.insert(
                [0x00, 0x1D, 0x1E, 0x1F, 0x22, 0x5C, 0x7B, 0x0A, 0x09, 0xFF].randomElement(using: &random) ?? 0,
                at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...64, using: &random)))
        case 4:
            let end = min(bytes.count, place + Int.random(in: 1...64, using: &random))
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 5: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.removeLast(Int.random(in: 0...bytes.count / 4, using: &random))
        }
    }
}
