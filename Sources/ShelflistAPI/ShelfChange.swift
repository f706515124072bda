/// A change of a shelf; fields that are not set are kept.
public struct ShelfChange: Codable, Hashable, Sendable {
    public var name: String?
    /// The identifier of the shelf that it is in.
    public var parent = FieldPatch<String>.keep
    /// Such as `SL-9C4JV`; of a label that is printed already.
    public var code: String?
    public var note = FieldPatch<String>.keep
    /// By what it is sorted, with those inside it that have no rule of their own.
    public var sort = FieldPatch<ShelfSort>.keep

    public init() {}

    public init(name: String) { self.name = name }
}

/// A shelf to create, with those around it that do not exist.
package struct NewShelf: Codable, Hashable, Sendable {
    /// Its name or path.
    package var name: String
    /// The identifier of the shelf in which the path begins.
    package var parent: String?
    /// nil for a free one.
    package var code: String?

    package init(name: String, parent: String? = nil, code: String? = nil) {
        (self.name, self.parent, self.code) = (name, parent, code)
    }
}

/// What a list of shelves changed.
package struct ImportedShelves: Codable, Hashable, Sendable {
    /// The number of new shelves, with those around the listed ones.
    package var added: Int
    /// The number of shelves whose code, note or rule was changed.
    package var changed: Int
    /// nil if nothing was changed.
    @Null package var undoToken: String?

    package init(added: Int, changed: Int, undoToken: String? = nil) {
        (self.added, self.changed, self.undoToken) = (added, changed, undoToken)
    }
}
