/// A contributor to a work, with the role.
package struct AuthorCredit: Hashable, Codable, Sendable {
    /// The name as printed, in natural order: `Simone de Beauvoir`.
    package var name: String
    package var role: Role

    package enum Role: String, Codable, CaseIterable, Sendable {
        case author, editor, translator, illustrator, contributor

        /// Decodes a word that this version does not know as `contributor`.
        package init(from decoder: any Decoder) throws {
            self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .contributor
        }
    }

    package init(name: String, role: Role = .author) { (self.name, self.role) = (name, role) }

    /// Returns the people named in one string: `Terry Pratchett & Neil Gaiman` are two.
    ///
    /// If no name is recognised, for example without letters, the whole string is one name.
    package static func list(_ text: String) -> [AuthorCredit] {
        let names = PersonName.list(text).map(\.displayName)
        return (names.isEmpty ? [text] : names).map { AuthorCredit(name: $0) }
    }
}
