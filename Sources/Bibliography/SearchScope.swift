/// The fields that a search covers.
public enum SearchScope: String, CaseIterable, Codable, Sendable {
    /// Titles and authors; a valid ISBN is looked up as one.
    case all
    case title
    case author
    case isbn
}
