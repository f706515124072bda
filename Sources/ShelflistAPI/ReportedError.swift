/// An error that reaches people or clients.
///
/// Its description is one sentence that says what is wrong with which thing, and then one that says what to do. The command
/// line prints it; the server answers with a problem document by the code.
package protocol ReportedError: Error, CustomStringConvertible {
    /// Stable, for programs: words in lower case, joined by underscores.
    var problemCode: String { get }
    /// The invalid field of a request.
    var field: String? { get }
    /// The limit that was exceeded.
    var limit: Int? { get }
}

extension ReportedError {
    package var field: String? { nil }
    package var limit: Int? { nil }

    /// What is wrong, and what to do; the latter is empty where the first sentence says it.
    package var sentences: (message: String, recovery: String) {
        let text = description
        guard let end = text.firstRange(of: ". ") else { return (text, "") }
        return (String(text[..<end.lowerBound]) + ".", String(text[end.upperBound...]))
    }
}
