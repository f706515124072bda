import ShelflistAPI
import Testing

@Suite("Reported errors")
struct ReportedErrorTests {
    @Test(
        "A text is divided into what is wrong and what to do",
        arguments: [
            ("The file is empty. Choose another one.", "The file is empty.", "Choose another one."),
            ("It has 2.5 MB. Save it smaller. Then send it.", "It has 2.5 MB.", "Save it smaller. Then send it."),
            ("Line 3 is too long.", "Line 3 is too long.", ""),
        ])
    func sentences(_ text: String, _ message: String, _ recovery: String) {
        let problem = Problem("bad_request", status: 400, title: "Bad request", detail: text)
        #expect(problem.sentences.message == message && problem.sentences.recovery == recovery)
        #expect(problem.problemCode == "bad_request" && problem.description == text)
    }
}
