/// Names of organisations, which contain `and` and commas without being lists of people.
package enum Organisation {
    /// Returns a name that a catalog gives as that of an organisation so that it stays one: with no-break spaces.
    package static func marked(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: "\u{A0}")
    }

    /// Whether a text is the name of one organisation: `Food and Agriculture Organization`, `Barnes and Noble, Inc.`,
    /// `Simon & Sons Ltd`, `The Mamas and the Papas`.
    ///
    /// `Ann One and Oxford University` are a person and an organisation, so only single words are parts of one name.
    static func isOne(_ text: String) -> Bool {
        if text.contains("\u{A0}"), !text.contains(" ") { return true }
        guard text.utf8.count <= 300, !text.contains(";"), !text.contains("|") else { return false }
        let words = TextNormalisation.words(text)
        guard words.count > 1, let last = words.last else { return false }
        let joints = words.indices.filter {
            words[$0] == "and" || words[$0] == "und" || words[$0] == "y" || words[$0] == "et"
        }
        if words[0] == "the", joints.contains(where: { words.indices.contains($0 + 1) && words[$0 + 1] == "the" }) {
            return true
        }
        let hasForm = legalForms.contains(last)
        guard hasForm || !joints.isEmpty && !text.contains(",") && words.contains(where: kinds.contains) else {
            return false
        }
        // Before each joint there is one word: `Food and Agriculture Organization`, `Department of Trade and Industry`.
        return joints.allSatisfy { $0 == 1 || words[..<$0].contains(where: kinds.contains) }
    }

    /// Folded legal forms at the end of a name.
    private static let legalForms: Set<String> = [
        "inc", "incorporated", "ltd", "limited", "llc", "llp", "plc", "corp", "corporation", "gmbh", "srl",
    ]

    /// Folded words for kinds of organisations.
    private static let kinds: Set<String> = [
        "organization", "organisation", "association", "society", "institute", "institution", "university", "college",
        "academy", "museum", "library", "ministry", "department", "committee", "commission", "council", "agency",
        "foundation", "federation", "union", "congress", "bureau", "board", "company", "press", "publishers", "group",
        "institut", "universitat", "akademie", "gesellschaft", "verein", "verband", "ministerium", "stiftung", "amt",
        "universidad", "instituto", "ministerio", "fundacion", "asociacion", "sociedad", "academia", "universite",
        "ministere", "fondation", "societe", "academie", "universita", "istituto", "societa",
    ]
}
