import Fixtures
import Foundation
import Reading
import TestSupport
import Testing
import shelflist

@Suite(.blocks) struct Checkups {
    @Test("Each finding is printed with its fix")
    func findings() {
        let checkup = Checkup(
            version: "1.2.3",
            checks: [
                .init("models", .ok, "in /m"),
                .init("data folder", .warning, "0.5 GB free", remedy: "free some space."),
                .init("HEIC", .broken, "does not decode", remedy: "run 'make setup'."),
            ])
        #expect(checkup.isBroken)
        #expect(
            checkup.lines(width: nil, colors: false).joined(separator: "\n") == """
                shelflist 1.2.3

                ✓ models       in /m
                ! data folder  0.5 GB free
                               Fix: free some space.
                ✗ HEIC         does not decode
                               Fix: run 'make setup'.

                Something is broken: see the fixes above.
                """)
    }

    @Test("A warning does not fail the checkup")
    func warning() {
        let checkup = Checkup(version: "1", checks: [.init("data folder", .warning, "0.5 GB free", remedy: "tidy up.")])
        #expect(!checkup.isBroken)
        #expect(checkup.lines(width: nil, colors: false).last == "Everything is in place.")
    }

    @Test(
        "The data folder is taken from the environment",
        arguments: [
            (["SHELFLIST_DATA": "/data", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/data"),
            (["SHELFLIST_DATA": "", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/shelflist"),
            (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/shelflist"),
            (["HOME": "/h"], "/h/.local/share/shelflist"),
        ])
    func dataFolder(environment: [String: String], folder: String) {
        #expect(DataFolder.path(environment: environment) == folder)
    }

    @Test("The checkup passes in this checkout, and --online sends nothing while no provider is on")
    func passes() throws {
        let command = try CommandRunner()
        let server = try StubServer { _, _ in .answer(500) }
        let outcome = try command.run(
            "doctor", "--online", environment: ["SHELFLIST_OPENLIBRARY_URL": server.url.absoluteString])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("none is on, so no titles are sent"))
        #expect(server.requests.isEmpty)
        for name in [
            "models", "OpenVINO", "precision", "letters", "label font", "JPEG", "PNG", "WebP", "HEIC", "data folder",
        ] {
            #expect(outcome.output.contains("✓ \(name) "), "\(outcome.output)")
        }
    }

    private struct Report: Decodable {
        struct Check: Decodable {
            var name: String
            var status: String
            var remedy: String?
        }
        var checks: [Check]
    }

    /// The findings of `shelflist doctor` that are not ok, but for the catalog: there is none in these folders.
    private func complaints(_ command: borrowing CommandRunner, _ environment: [String: String]) throws -> [Report
        .Check]
    {
        let outcome = try command.run("doctor", "--format", "json", environment: environment)
        #expect(outcome.status == 1)
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)).checks.filter {
            $0.status != "ok" && $0.name != "catalog"
        }
    }

    @Test("Missing or damaged models and a missing font are found")
    func missingModels() throws {
        let command = try CommandRunner()
        let models = command.folder.appending(path: "models")
        let environment = ["SHELFLIST_RESOURCES": command.folder.path]
        #expect(try complaints(command, environment).map(\.name) == ["models"])

        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        #expect(try complaints(command, environment).map(\.name) == ["models", "label font"])

        let names = [
            "detection.onnx", "detection-int8.bin", "detection-int8.xml", "detection-tiny.onnx", "recognition.onnx",
            "recognition-latin-int8.onnx", "recognition-tiny.onnx",
        ]
        for name in names {
            try command.write([1, 2, 3], to: "models/\(name)")
        }
        let damaged = try complaints(command, environment)
        #expect(damaged.map(\.name) == ["OpenVINO", "label font"])
        #expect(damaged.allSatisfy { $0.remedy?.contains("make setup") == true })
    }

    @Test("The letters that are read are named, and how to read others")
    func letters() throws {
        let command = try CommandRunner()
        func letters(_ environment: [String: String]) throws -> String {
            let output = try command.run("doctor", environment: environment).output
            let line = try #require(output.split(separator: "\n").first { $0.contains("letters") })
            return String(line)
        }
        #expect(try letters([:]).contains("Latin, Chinese, Japanese, Cyrillic, "))
        let without = try letters(["TESSDATA_PREFIX": command.folder.path])
        #expect(
            without.contains("Latin, Chinese, and Japanese.")
                && without.contains("Cyrillic (tesseract-ocr-script-cyrl)"))
    }

    @Test("A data folder that cannot be created is found")
    func unwritableFolder() throws {
        let command = try CommandRunner()
        try command.write([1], to: "file")
        let data = command.folder.appending(path: "file/data").path
        let complaints = try complaints(command, ["SHELFLIST_DATA": data, "SHELFLIST_RESOURCES": command.folder.path])
        #expect(complaints.map(\.name) == ["models", "data folder"])
        #expect(complaints.last?.remedy?.contains("SHELFLIST_DATA") == true)
    }

    @Test("The checkup sends nothing, and prints what would be sent")
    func sendsNothing() throws {
        let server = try StubServer { _, _ in .answer(500) }
        let command = try CommandRunner()
        let environment = [
            "SHELFLIST_PROVIDERS": "openlibrary", "SHELFLIST_OPENLIBRARY_URL": server.url.absoluteString,
        ]
        let text = try command.checkup(environment: environment).replacing(/\s+/, with: " ")
        #expect(text.contains("✓ providers on: Open Library at \(server.url.absoluteString); requests"))
        #expect(text.contains("requests are sent as Shelflist/"))
        #expect(text.contains("(https://github.com/shelflist/shelflist), with the project's address"))
        #expect(server.requests.isEmpty)

        let named = try command.checkup(
            environment: environment.merging(["SHELFLIST_CONTACT": "ada@example.org"]) { $1 })
        #expect(named.contains("(ada@example.org)") && !named.contains("the project's address"))
    }

    @Test("--online sends one request to each provider that is on, and prints what came back")
    func online() throws {
        let command = try CommandRunner()
        let catalogs = try CatalogProcess(in: command.folder)
        let environment = [
            "SHELFLIST_PROVIDERS": "openlibrary,googlebooks",
            "SHELFLIST_OPENLIBRARY_URL": "\(catalogs.address)/openlibrary",
            "SHELFLIST_GOOGLEBOOKS_URL": "\(catalogs.address)/googlebooks",
        ]
        for count in 1...2 {
            let text = try command.checkup("--online", environment: environment).replacing(/\s+/, with: " ")
            #expect(text.contains(/✓ Open Library +answers in \d+ ms with 1 record/), "\(text)")
            #expect(text.contains("✗ Google Books Google Books sent an answer that cannot be read (text/html"))
            #expect(text.contains("SHELFLIST_GOOGLEBOOKS_URL"))
            for name in ["openlibrary", "googlebooks"] {
                let sent = try catalogs.requests().filter { $0.hasPrefix("/\(name)/") }
                #expect(sent.count == count, "neither cached nor repeated")
            }
        }
        let agents = try catalogs.requests().filter { $0.hasPrefix("/openlibrary/") }
        #expect(agents.allSatisfy { $0.contains("(https://github.com/shelflist/shelflist)") })
    }
}

/// Open Library that answers and Google Books that is down, in a process of their own.
///
/// The program has ten seconds for an answer, also while the process of the tests is stopped.
private struct CatalogProcess: ~Copyable {
    let address: String
    private let process: ChildProcess
    private let log: URL

    private static let script = """
        import http.server, sys

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with open(sys.argv[1], "a") as log:
                    log.write(f"{self.path} {self.headers['User-Agent']}\\n")
                kind, body = "text/html", b"<h1>Down</h1>"
                if self.path.startswith("/openlibrary/"):
                    kind = "application/json"
                    body = b'{"numFound": 1, "docs": [{"key": "/works/OL1W", "title": "Moby Dick"}]}'
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words): pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    /// - Parameter folder: where the log of requests is written.
    init(in folder: URL) throws {
        let log = folder.appending(path: "requests.log")
        try Data().write(to: log)
        let pipe = Pipe()
        let process = try ChildProcess(["python3", "-c", Self.script, log.path], output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        // To the end of the line: the script would end at writing the rest to a closed pipe.
        var port = Data()
        while port.last != UInt8(ascii: "\n") {
            let piece = pipe.fileHandleForReading.availableData
            try #require(!piece.isEmpty, "The script ended.")
            port += piece
        }
        (self.log, self.process) = (log, process)
        address = "http://127.0.0.1:\(String(decoding: port.dropLast(), as: UTF8.self))"
    }

    deinit {
        process.send(SIGKILL)
        process.waitUntilExit()
    }

    /// The path and the user agent of each request.
    func requests() throws -> [String] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
