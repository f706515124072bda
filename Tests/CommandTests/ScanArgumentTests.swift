import TestSupport
import Testing
import shelflist

@Suite("Arguments of commands", .blocks) struct ScanArgumentTests {
    @Test("The program prints what it does not understand and exits with 2")
    func exits() throws {
        let outcome = try CommandRunner().run("scan")
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        let end = try #require(CommandEnd(parsing: ["scan"]))
        // What follows is laid out for the terminal.
        for errors in [outcome.errors, end.errors] {
            #expect(errors.hasPrefix("Error: Missing expected argument '<photo> ...'\n"), "\(errors)")
        }
    }

    @Test("The program prints its help without arguments")
    func helps() throws {
        let outcome = try CommandRunner().run()
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.contains("USAGE: shelflist"))
    }

    @Test(
        "A command line that is not understood exits with 2",
        arguments: [
            (["--threshold", "1.5", "a.jpg"], "--threshold is a confidence from 0 to 1"),
            (["--threshold", "much", "a.jpg"], "The value 'much' is invalid for '--threshold <confidence>'"),
            (["--threshold", "nan", "a.jpg"], "--threshold is a confidence from 0 to 1"),
            (["--jobs", "0", "a.jpg"], "--jobs is a number of photos from 1 to 64"),
            (["--format", "xml", "a.jpg"], "The value 'xml' is invalid for '--format <format>'"),
            (["--preprocess", "perhaps", "a.jpg"], "The value 'perhaps' is invalid for '--preprocess <preprocess>'"),
            (["--annotated", "x", "a.jpg"], "Unknown option '--annotated'. Did you mean '--annotate'?"),
        ])
    func misunderstood(arguments: [String], message: String) throws {
        let end = try #require(CommandEnd(parsing: ["scan"] + arguments))
        #expect(end.status == 2 && end.output.isEmpty)
        #expect(end.errors.contains(message), "\(end.errors)")
    }

    @Test(
        "Help is printed to stdout",
        arguments: [["--version"], ["--help"], ["scan", "--help"], ["doctor", "--help"]])
    func help(arguments: [String]) throws {
        let end = try #require(CommandEnd(parsing: arguments))
        #expect(end.status == 0 && !end.output.isEmpty && end.errors.isEmpty)
    }
}
