import Foundation
import TestSupport
import Testing

@Suite("Arguments of commands", .blocks) struct ScanArgumentTests {
    @Test(
        "A command line that is not understood exits with 2",
        arguments: [
            ([], "Missing expected argument '<photo> ...'"),
            (["--threshold", "1.5", "a.jpg"], "--threshold is a confidence from 0 to 1"),
            (["--threshold", "much", "a.jpg"], "The value 'much' is invalid for '--threshold <confidence>'"),
            (["--threshold", "nan", "a.jpg"], "--threshold is a confidence from 0 to 1"),
            (["--jobs", "0", "a.jpg"], "--jobs is a number of photos from 1 to 64"),
            (["--format", "xml", "a.jpg"], "The value 'xml' is invalid for '--format <format>'"),
            (["--preprocess", "perhaps", "a.jpg"], "The value 'perhaps' is invalid for '--preprocess <preprocess>'"),
            (["--annotated", "x", "a.jpg"], "Unknown option '--annotated'. Did you mean '--annotate'?"),
        ])
    func misunderstood(arguments: [String], message: String) throws {
        let command = try CommandRunner()
        let outcome = try command.launch(["scan"] + arguments).outcome()
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        "Help is printed to stdout",
        arguments: [["--version"], ["--help"], ["scan", "--help"], ["doctor", "--help"], []])
    func help(arguments: [String]) throws {
        let command = try CommandRunner()
        let outcome = try command.launch(arguments).outcome()
        #expect(outcome.status == 0)
        #expect(!outcome.output.isEmpty && outcome.errors == "")
    }
}
