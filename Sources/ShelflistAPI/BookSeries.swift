/// A series, and what the library has of it.
public struct BookSeries: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    public var name: String
    /// The first authors of its books, each once.
    public var authors: [String]
    /// The number of books that the library has, and of those on the wish list.
    public var owned: Int
    public var wished: Int
    /// How many volumes there are; nil if that is not known.
    @Null public var volumes: Int?
    /// Whether nothing of it is wanted any more, whatever its numbers say.
    public var complete: Bool
    /// The volumes that the library neither has nor wishes for.
    public var missing: [Int]
    /// The copies in the order of their numbers; nil in a list of series.
    public var books: [LibraryBook]?
    /// Of the change that the message answers.
    public var undoToken: String?

    public init(id: String, name: String) {
        (self.id, self.name) = (id, name)
        (authors, owned, wished, complete, missing) = ([], 0, 0, false, [])
    }
}

/// A change of a series; fields that are not set are kept.
public struct SeriesChange: Codable, Hashable, Sendable {
    /// That of another series joins both.
    public var name: String?
    /// From 1 to 1,000.
    public var volumes = FieldPatch<Int>.keep
    public var complete: Bool?

    public init() {}
}

/// Volumes of a series that are wished for.
public struct WishedVolumes: Codable, Hashable, Sendable {
    /// 1...1000; those that the library has or wishes for are skipped.
    public var numbers: [Int]

    public init(numbers: [Int]) { self.numbers = numbers }
}
