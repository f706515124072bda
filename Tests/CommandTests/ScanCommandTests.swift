import Foundation
import Imaging
import Reading
import ShelflistAPI
import TestSupport
import Testing
import shelflist

/// The command as its user meets it: command line in, streams and exit code out.
extension Reading { @Suite("shelflist scan") struct ScanCommandTests {} }

extension Reading.ScanCommandTests {
    @Test("Each bad photo fails alone and the others are read in order")
    func badPhotos() throws {
        let command = try CommandRunner()
        try command.write(Photos.blank(), to: "good.jpg")
        try command.write(Photos.blank(width: 80), to: "last.jpg")
        try command.write([], to: "empty.jpg")
        try command.write(Array("not an image".utf8), to: "text.jpg")
        try command.write(Photos.hugePNG(), to: "huge.png")
        try command.write([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 20_000_001), to: "heavy.jpg")
        try FileManager.default.createDirectory(
            at: command.folder.appending(path: "folder"), withIntermediateDirectories: true)
        mkfifo(command.folder.appending(path: "pipe.jpg").path, 0o600)

        let outcome = try command.run(
            "scan", "--format", "json", "good.jpg", "missing.jpg", "empty.jpg", "text.jpg", "huge.png", "heavy.jpg",
            "folder",
            "pipe.jpg", "last.jpg")
        #expect(outcome.status == 1)
        let result = try JSONDecoder().decode(ScanResult.self, from: Data(outcome.output.utf8))
        #expect(result.photos.map(\.path) == ["good.jpg", "last.jpg"])
        #expect(result.photos.map(\.width) == [64, 80])

        let failures = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("shelflist: ") }.sorted()
        #expect(
            failures == [
                "shelflist: empty.jpg: The file is empty (0 bytes). Copy the photo again.",
                "shelflist: folder: This is a folder. Name the photos in it, for example folder/*.jpg.",
                "shelflist: heavy.jpg: The file has 20.1 MB; the limit is 20 MB. Save the photo smaller or as JPEG.",
                "shelflist: huge.png: The photo has 50000 × 50000 pixels, 2500 megapixels; the limit is 100 megapixels. Reduce its size.",
                "shelflist: missing.jpg: There is no such file. Check the path.",
                "shelflist: pipe.jpg: This is a device or a pipe, not a file. Save the photo to a file first.",
                "shelflist: text.jpg: This is not a photo. Choose a JPEG, PNG, WebP or HEIC file.",
            ])
    }

    @Test("A photo truncated anywhere is named", .whenReadingChanges)
    func truncatedPhoto() throws {
        let command = try CommandRunner()
        let example = try Array(Data(contentsOf: CommandRunner.example))
        let names = try (1...9).map { tenth in
            let name = "cut-\(tenth)0.jpg"
            try command.write(Array(example.prefix(example.count * tenth / 10)), to: name)
            return name
        }
        let outcome = try command.launch(["scan"] + names).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        for name in names {
            #expect(outcome.errors.contains("shelflist: \(name): The JPEG file ends too early"), "\(outcome.errors)")
        }
    }

    @Test("Unusual photos are read, and those without spines are reported", .whenReadingChanges)
    func unusualPhotos() throws {
        let command = try CommandRunner()
        let photos = [
            ("pixel.jpg", try Photos.blank(width: 1, height: 1), "1 × 1"),
            ("cmyk.jpg", try Photos.cmykJPEG(), "48 × 32"),
            ("animated.webp", try Photos.animatedWebP(), "48 × 32"), ("deep.png", try Photos.deepPNG(), "48 × 32"),
        ]
        for (name, bytes, _) in photos { try command.write(bytes, to: name) }
        let outcome = try command.launch(["scan", "--jobs", "1"] + photos.map(\.0)).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        for (name, _, size) in photos {
            #expect(outcome.output.contains("\(name) · no spines found · \(size) · "), "\(outcome.output)")
        }
    }

    @Test("A file without read permission is reported", .whenReadingChanges)
    func unreadableFile() throws {
        let command = try CommandRunner()
        try command.write(Photos.blank(), to: "private.jpg")
        chmod(command.folder.appending(path: "private.jpg").path, 0)
        // The superuser may read everything, so it takes another user to be refused.
        let asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        // That user may write the networks and the index of the starter list.
        let data = command.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        chmod(data.path, 0o777)
        let outcome = try command.launch(
            ["scan", "private.jpg"], environment: ["SHELFLIST_DATA": data.path, "SHELFLIST_CACHE": ""],
            through: geteuid() == 0 ? asNobody : []
        ).outcome()
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == """
                shelflist: private.jpg: You are not permitted to read this file. Change its permissions (chmod u+r) or read \
                it as its owner.

                """)
    }

    @Test("Control characters in a file name are not printed", .whenReadingChanges)
    func fileNameControls() throws {
        let command = try CommandRunner()
        let name = "a\u{1B}]0;owned\u{7}\nb.jpg"
        try command.write(Photos.blank(), to: name)
        let outcome = try command.run("scan", name, "gone\u{1B}[2J.jpg")
        #expect(outcome.output.hasPrefix("a\u{FFFD}]0;owned\u{FFFD} b.jpg · no spines found"))
        #expect(outcome.errors.contains("shelflist: gone\u{FFFD}[2J.jpg: There is no such file."))
        #expect(!(outcome.output + outcome.errors).unicodeScalars.contains("\u{1B}"))
    }

    @Test("A photo of a shelf is compared with the list of its books, and nothing is stored")
    func audit() throws {
        let command = try CommandRunner()
        let list = """
            title,author,location
            Jane Eyre,Charlotte Brontë,Hall
            The Lighthouse Almanac,Xaver Unger,Hall
            """
        try command.write(Array(list.utf8), to: "list.csv")
        try command.write(Photos.threeSpines.get(), to: "shelf.jpg")
        #expect(try command.run("library", "import", "--no-lookup", "list.csv").status == 0)
        let scan = ["scan", "--offline", "--shelf", "hall", "shelf.jpg"]
        let outcome = try command.launch(scan + ["--format", "json"]).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let found = try decoder.decode(ShelfInventory.self, from: Data(outcome.output.utf8))
        #expect(found.present.map(\.title) == ["Jane Eyre"])
        #expect(found.missing.map(\.title) == ["The Lighthouse Almanac"])
        #expect(!found.isFirst && found.new.isEmpty && !found.notAdded.isEmpty)
        #expect(try command.run("library", "list", "--format", "json").output.contains("\"total\": 2"))
        let refused = try #require(CommandEnd(parsing: scan + ["--format", "csv"]))
        #expect(refused.status == 2 && refused.errors.contains("prints a table or JSON"), "\(refused.errors)")
    }

    @Test("A photo is checked against the library: each book has an answer, and nothing is stored")
    func check() throws {
        let command = try CommandRunner()
        let list = """
            title,author,wishlist
            Jane Eyre,Charlotte Brontë,no
            Cien años de soledad,Gabriel García Márquez,yes
            """
        try command.write(Array(list.utf8), to: "list.csv")
        try command.write(Photos.threeSpines.get(), to: "shelf.jpg")
        #expect(try command.run("library", "import", "--no-lookup", "list.csv").status == 0)
        let scan = ["scan", "--check", "shelf.jpg"]
        let outcome = try command.launch(scan + ["--format", "json"]).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let spines = try JSONDecoder().decode([CheckedSpine].self, from: Data(outcome.output.utf8))
        func verdict(_ title: String) -> String? {
            spines.first { $0.title?.hasPrefix(title) == true }?.answer.verdict
        }
        #expect(verdict("Jane") == "have" && verdict("Cien años de soledad") == "wished", "\(outcome.output)")
        #expect(spines.count > 2 && Set(spines.map(\.answer.verdict)).isDisjoint(with: ["otherEdition"]))
        #expect(try command.run("library", "list", "--format", "json").output.contains("\"total\": 2"))
        let refused = try #require(CommandEnd(parsing: scan + ["--import"]))
        #expect(refused.status == 2 && refused.errors.contains("--import does not go with --check"))
    }

    private struct CheckedSpine: Decodable {
        struct Answer: Decodable { var verdict: String }
        var title: String?
        var answer: Answer
    }

    @Test("The example's books are found, printed and drawn on the annotated photo")
    func example() throws {
        let command = try CommandRunner()
        let outcome = try command.run(
            "scan", "--offline", "--format", "json", "--annotate", "a/b", CommandRunner.example.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "", "one photo and no terminal: nothing to report")
        let photo = try #require(JSONDecoder().decode(ScanResult.self, from: Data(outcome.output.utf8)).photos.first)
        #expect((photo.width, photo.height) == (4000, 3000))
        #expect(photo.books.count > 10)

        let annotated = command.folder.appending(path: "a/b")
        #expect(try FileManager.default.contentsOfDirectory(atPath: annotated.path) == ["shelf-annotated.jpg"])
        let picture = try PhotoDecoder.decode(Array(Data(contentsOf: annotated.appending(path: "shelf-annotated.jpg"))))
        #expect(picture.image.width == 2400)
    }

    @Test("The table fits into COLUMNS")
    func columns() throws {
        let command = try CommandRunner()
        try command.write(Photos.threeSpines.get(), to: "shelf.jpg")
        let outcome = try command.run("scan", "shelf.jpg", environment: ["COLUMNS": "60"])
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count > 4)
        // Every character of the photo's books takes one column.
        for line in lines { #expect(line.count <= 60, "\(line)") }
    }

    @Test("A scan fails if the annotated photo cannot be written, and still prints its result", .whenReadingChanges)
    func unwritableAnnotation() throws {
        let command = try CommandRunner()
        try command.write(Photos.blank(), to: "a.jpg")
        try command.write([1], to: "file")
        let noFolder = try command.run("scan", "--annotate", "file", "a.jpg")
        #expect(noFolder.status == 1)
        #expect(
            noFolder.errors
                == "shelflist: file: The folder cannot be made. Name one that you may write to and that is not a file.\n"
        )

        // A folder stands where the picture should go.
        try FileManager.default.createDirectory(
            at: command.folder.appending(path: "out/a-annotated.jpg/x"), withIntermediateDirectories: true)
        let noPicture = try command.run("scan", "--annotate", "out", "a.jpg")
        #expect(noPicture.status == 1)
        #expect(noPicture.output.hasPrefix("a.jpg · no spines found"))
        #expect(noPicture.errors.hasPrefix("shelflist: a.jpg: The annotated photo "))
    }

    @Test("A scan exits with 1 if the results cannot be written", .whenReadingChanges)
    func unwritableResults() throws {
        let command = try CommandRunner()
        try command.write(Photos.blank(), to: "a.jpg")
        let outcome = try command.launch(
            ["scan", "a.jpg"], through: ["sh", "-c", "exec \"$@\" > /dev/full", "sh"]
        ).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("The results could not be written: No space left on device."))
    }

    @Test("Ctrl-C ends a scan at once and leaves a complete document of the finished photos")
    func interrupt() async throws {
        let command = try CommandRunner()
        try command.write(Photos.blank(), to: "quick.jpg")
        // More than can be read in the time after which a test has failed.
        let slow = [String](repeating: CommandRunner.example.path, count: 1000)
        let run = try command.launch(
            ["scan", "--format", "json", "--jobs", "1", "--annotate", "seen", "quick.jpg"] + slow)
        try await eventually { try run.errorsSoFar().contains("[1/1001] quick.jpg") }
        run.interrupt()
        let outcome = try run.outcome()
        #expect(outcome.status == 130)
        let result = try JSONDecoder().decode(ScanResult.self, from: Data(outcome.output.utf8))
        #expect(result.photos.first?.path == "quick.jpg")
        #expect(result.photos.count < 1001)
        #expect(outcome.errors.contains("shelflist: Stopped. \(result.photos.count) of 1001 photos had been read.\n"))
        // As many pictures as results, each whole, and no temporary file.
        let pictures = try FileManager.default.contentsOfDirectory(atPath: command.folder.appending(path: "seen").path)
        #expect(pictures.count == result.photos.count)
        for name in pictures {
            #expect(name.hasSuffix("-annotated.jpg") || name.contains("-annotated-"))
            _ = try PhotoDecoder.decode(Array(Data(contentsOf: command.folder.appending(path: "seen/\(name)"))))
        }
    }
}

/// `script` gives the program a terminal to write to.
extension Reading {
    @Suite(
        "shelflist scan on a terminal", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    struct ScanTerminalTests {}
}

extension Reading.ScanTerminalTests {
    private func run(_ environment: [String: String]) throws -> String {
        let command = try CommandRunner()
        try command.write(Photos.blank(), to: "a.jpg")
        let outcome = try command.launch(
            [], environment: ["TERM": "xterm", "COLUMNS": "70"].merging(environment) { $1 },
            through: ["sh", "-c", "exec script -qec \"'$0' scan a.jpg\" /dev/null"]
        ).outcome()
        #expect(outcome.status == 0)
        return outcome.output
    }

    @Test("A progress bar is shown while reading and removed afterwards", .whenReadingChanges)
    func progressBar() throws {
        let shown = try run([:])
        #expect(shown.contains("\rReading ▕") && shown.contains("a.jpg: opening\u{1B}[K"))
        // What follows the last time that the line was cleared is the result alone.
        let result = try #require(shown.components(separatedBy: "\r\u{1B}[K").last)
        #expect(result.hasPrefix("\u{1B}[1ma.jpg\u{1B}[0m\u{1B}[2m · no spines found"))
        #expect(!result.contains("▕"))
    }

    @Test("Colors are omitted with NO_COLOR", .whenReadingChanges)
    func noColor() throws {
        let shown = try run(["NO_COLOR": "1"])
        #expect(shown.contains("▕"))
        #expect(!shown.contains(#/\u{1B}\[[0-9]/#))
    }

    @Test("A dumb terminal gets no control sequences", .whenReadingChanges)
    func dumbTerminal() throws {
        #expect(!(try run(["TERM": "dumb"])).unicodeScalars.contains("\u{1B}"))
    }
}
