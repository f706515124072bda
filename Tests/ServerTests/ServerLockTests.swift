import Foundation
import Server
import TestSupport
import Testing

@Suite struct ServerLockTests {
    @Test("A second server on a folder is refused with the address of the first, until that has ended")
    func second() throws {
        let folder = try TemporaryFolder()
        var first: ServerLock? = try ServerLock(folder.url)
        let unknown = #expect(throws: ServerRunningError.self) { try ServerLock(folder.url) }
        #expect(
            unknown?.description
                == "Another server runs on the data folder \(folder.url.path). Use that one, stop it first, or name another "
                + "folder with --data.")
        try ServerAddress.store("https://192.0.2.9:8443", local: "https://127.0.0.1:8443", in: folder.url)
        let known = #expect(throws: ServerRunningError.self) { try ServerLock(folder.url) }
        #expect(known?.description.contains(": https://127.0.0.1:8443. Use that one") == true)
        withExtendedLifetime(first) {}
        first = nil
        _ = try ServerLock(folder.url)
    }
}
