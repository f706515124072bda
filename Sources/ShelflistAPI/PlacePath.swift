import Bibliography

/// The names of a shelf and of the shelves around it, outermost first: `Home / Study / Bookcase 2`.
///
/// A slash between spaces separates names; one without spaces, as in `Sci-fi/Fantasy`, is part of a name.
package struct PlacePath: Hashable, Sendable, CustomStringConvertible {
    /// The greatest number of names.
    package static let depthLimit = 8
    package static let separator = " / "

    package let names: [String]

    /// - Returns: an empty name where the text has none, such as after a last separator.
    package init(_ text: String) {
        let text = " \(text) "
        var names = [""]
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)[...]
        while let part = parts.popFirst() {
            names[names.count - 1] += part
            guard let next = parts.first else { break }
            let separates = part.last?.isWhitespace == true && next.first?.isWhitespace == true
            if separates { names.append("") } else { names[names.count - 1] += "/" }
        }
        self.names = names.map(\.trimmed)
    }

    package var description: String { names.joined(separator: Self.separator) }
}
