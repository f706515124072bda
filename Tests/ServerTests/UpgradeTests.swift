import Foundation
import Library
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct UpgradeTests {
    @Test("A data folder in a newer format is refused and not changed")
    func newerFolder() async throws {
        let folder = try TemporaryFolder()
        try await withServer(folder: folder.url) { server in _ = try server.makeOwner() }
        let accounts = folder.url.appending(path: "accounts.json")
        let before = try Data(contentsOf: accounts)
        let format = folder.url.appending(path: "format.json")
        #expect(try String(contentsOf: format, encoding: .utf8).contains(#""format" : 1"#))
        try Data(#"{"format":2}"#.utf8).write(to: format)
        await #expect(throws: LibraryError.newerSchema(folder.url.path)) {
            try await withServer(folder: folder.url) { _ in }
        }
        #expect(try Data(contentsOf: accounts) == before)
    }

    @Test("The owner sees that another build was installed")
    func installedBuild() async throws {
        let installed = Mutex<Build?>(nil)
        try await withServer(configure: { settings, _ in
            settings.build = Build(version: "1.0.0", commit: "aaaaaaaaaaaa")
            settings.installedBuild = { installed.withLock { $0 } }
        }) { server in
            let cookie = try server.makeOwner()
            func about(_ headers: [String: String]) throws -> Answer {
                try server.send("GET", "/api/v1/about", headers: headers)
            }
            #expect(try about(cookie).decode(AboutServer.self).commit == "aaaaaaaaaaaa")
            #expect(try about(cookie)["installed"] is NSNull)
            installed.withLock { $0 = Build(version: "1.0.0", commit: "aaaaaaaaaaaa") }
            #expect(try about(cookie)["installed"] is NSNull)
            installed.withLock { $0 = Build(version: "1.1.0", commit: "bbbbbbbbbbbb") }
            let newer = AboutServer.InstalledBuild(version: "1.1.0", commit: "bbbbbbbbbbbb")
            #expect(try about(cookie).decode(AboutServer.self).installed == newer)
            #expect(try about([:])["installed"] is NSNull, "others need not know")
        }
    }

    @Test("The file of a build is found beside an installed program, and in a checkout")
    func buildFile() throws {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        func write(_ text: String, to path: String, at time: Date) throws {
            let file = folder.url.appending(path: path)
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            try manager.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
        }
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        try write("program", to: "bin/shelflist", at: time)
        let file = BuildFile(of: folder.url.appending(path: "bin/shelflist"))
        #expect(file.read() == nil)
        try write(#"{"version":"1","commit":null}"#, to: "bin/build.json", at: time.addingTimeInterval(-1))
        #expect(file.read() == nil, "the program was built again since")
        try write(#"{"version":"1","commit":null}"#, to: "bin/build.json", at: time)
        #expect(file.read() == Build(version: "1", commit: nil))
        try write(#"{"version":"2","commit":"c"}"#, to: "share/shelflist/build.json", at: time.addingTimeInterval(-9))
        #expect(file.read() == Build(version: "2", commit: "c"))
    }
}
