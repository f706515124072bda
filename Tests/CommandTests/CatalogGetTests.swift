import Fixtures
import Foundation
import TestSupport
import Testing

@Suite("Downloading a catalog on the command line", .blocks)
struct CatalogGetTests {
    private func environment(_ stub: DumpStub, _ command: borrowing CommandRunner) -> [String: String] {
        ["SHELFLIST_DUMPS_URL": stub.url.absoluteString, "SHELFLIST_DATA": command.folder.appending(path: "data").path]
    }

    @Test("A catalog is downloaded with its size announced, then updated when there are newer dumps")
    func getsAndUpdates() throws {
        let command = try CommandRunner()
        let stub = try DumpStub(SmallDump(count: 1000))
        let environment = environment(stub, command)
        let early = try command.run("catalog", "update", environment: environment)
        #expect(early.status == 1 && early.errors.contains("Get one with: shelflist catalog get openlibrary"))

        let got = try command.run(
            "catalog", "get", "openlibrary", "--languages", "eng", "--with", "isbn", "--yes", environment: environment)
        #expect(got.status == 0, "\(got.errors)")
        #expect(got.errors.contains("kB to download, at most"))
        #expect(got.output.contains("500 new editions"))
        let info = try command.run("catalog", "info", environment: environment)
        #expect(info.output.contains("500 works, 500 editions, 50 authors"))
        #expect(info.output.contains("languages eng or unknown, with ISBN"))
        let found = try command.run("catalog", "search", "book 998", environment: environment)
        #expect(found.status == 0 && found.output.contains("Book 998"))

        let same = try command.run("catalog", "update", environment: environment)
        #expect(same.status == 0 && same.errors.contains("the catalog is up to date"))
        #expect(stub.downloads(of: "editions").count == 1)
        let newer = try SmallDump(count: 1200).compressed()
        stub.change {
            $0.etag = "\"second\""
            $0.files = newer
        }
        let updated = try command.run("catalog", "update", environment: environment)
        #expect(updated.status == 0 && updated.output.contains("600 new editions"), "the filter is kept")
    }

    @Test("Without a terminal the download has to be confirmed with --yes, and wrong values are named")
    func refusals() throws {
        let command = try CommandRunner()
        let stub = try DumpStub(SmallDump(count: 10))
        let environment = environment(stub, command)
        let unasked = try command.run("catalog", "get", "openlibrary", environment: environment)
        #expect(unasked.status == 1 && unasked.errors.contains("Add --yes"))
        #expect(stub.requests.allSatisfy { $0.method == "HEAD" })
        let language = try command.run(
            "catalog", "get", "openlibrary", "--languages", "english", environment: environment)
        #expect(language.status == 2 && language.errors.contains("“english” is not the code of a language"))
        let address = try command.run(
            "catalog", "get", "openlibrary", "--yes",
            environment: environment.merging(["SHELFLIST_DUMPS_URL": "here"]) { $1 })
        #expect(address.status != 0 && address.errors.contains("dumpsUrl is an http or https address"))
        let nobody = try command.run(
            "catalog", "get", "openlibrary", "--yes",
            environment: environment.merging(["SHELFLIST_DUMPS_URL": "http://127.0.0.1:1/"]) { $1 })
        #expect(nobody.status == 1 && nobody.errors.contains("127.0.0.1 cannot be reached"))
    }

    @Test("A download asks on a terminal, and does nothing for an answer other than yes")
    func asks() async throws {
        let command = try CommandRunner()
        let stub = try DumpStub(SmallDump(count: 10))
        let environment = environment(stub, command)
        let terminal = try PseudoTerminal(
            ["catalog", "get", "openlibrary"], in: command.folder, environment: environment)
        try await terminal.screen(showing: "Download? [y/N]")
        try await terminal.answer("y", until: "10 new editions")
        #expect(stub.downloads(of: "authors").count == 1)
    }

    @Test(
        "A download that is interrupted or killed resumes, and the old catalog is used until then",
        arguments: [false, true])
    func resumes(isKilled: Bool) throws {
        let command = try CommandRunner()
        let stub = try DumpStub(SmallDump(count: 4000))
        let environment = environment(stub, command)
        try command.write(Array("title,author\nMiddlemarch,George Eliot\n".utf8), to: "own.csv")
        #expect(try command.run("catalog", "import", "own.csv", environment: environment).status == 0)

        let hasBegun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        stub.change {
            $0.cuts = ["works": [30_000]]
            $0.onCut = {
                hasBegun.signal()
                mayEnd.wait()
            }
        }
        let running = try command.launch(["catalog", "get", "openlibrary", "--yes"], environment: environment)
        hasBegun.wait()
        if isKilled { running.kill() } else { running.interrupt() }
        let stopped = try running.outcome()
        mayEnd.signal()
        #expect(stopped.status == (isKilled ? SIGKILL : 130), "\(stopped.errors)")
        #expect(isKilled || stopped.errors.contains("Run the same command to resume"))
        let old = try command.run("catalog", "search", "middlemarch", environment: environment)
        #expect(old.status == 0 && old.output.contains("George Eliot"))

        let resumed = try command.run("catalog", "get", "openlibrary", "--yes", environment: environment)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(resumed.errors.contains("Resumes an earlier download"))
        #expect(stub.downloads(of: "editions").count == 1)
        let info = try command.run("catalog", "info", environment: environment)
        #expect(info.output.contains("4001 works, 4001 editions, 101 authors"))
        let folder = command.folder.appending(path: "data")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!files.contains { $0.contains("download") }, "\(files)")
    }
}
