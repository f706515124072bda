extension String {
    /// The text as content of an element of HTML, or as the value of an attribute in quotation marks.
    var escapedForHTML: String {
        let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return map { entities[$0] ?? String($0) }.joined()
    }
}
