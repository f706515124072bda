import Fixtures
import Foundation
import Reading
import SpineReading
import TestSupport
import Testing
import WorkQueue

@Suite struct ModelFingerprintTests {
    private func fingerprint(_ scripts: ScriptData) throws -> String {
        let resources = try ExamplePhoto.folder().deletingLastPathComponent().appending(path: ".deps")
        return try ModelFingerprint.of(Installation(resources: resources, scripts: scripts))
    }

    @Test("A worker with other data of letters has another fingerprint, and is given no photos of this server")
    func letters() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "Cyrillic.traineddata")
        func scripts(_ content: String) throws -> ScriptData {
            try Data(content.utf8).write(to: file)
            return ScriptData(environment: ["TESSDATA_PREFIX": folder.url.path])
        }
        let none = try fingerprint(.none)
        let (first, second) = (try fingerprint(scripts("a")), try fingerprint(scripts("b")))
        #expect(Set([none, first, second]).count == 3)
        #expect(try fingerprint(scripts("b")) == second && fingerprint(.none) == none)
    }
}
