import Concurrency

/// Keeps the roles of spines' lines, because a photo is identified again with each answer of a provider.
final class RoleCache: Sendable {
    /// 2,000 spines take about 5 MB.
    private let known = BoundedCache<Question, SpineRoles>(limit: 2_000)

    private struct Question: Hashable {
        var lines: [UprightLine]
        var filedUnder: String?
        var names: KnownNames
    }

    /// - Parameters:
    ///   - lines: of one spine, in reading order.
    ///   - start: of the author's name or of the title, by the label of the spine; nil where it has none.
    ///   - names: of the spine.
    ///   - model: always the same.
    /// - Throws: `IdentificationError.tooMuchText`.
    func roles(
        of lines: [UprightLine], filedUnder start: String?, knowing names: KnownNames, by model: LinearModel,
        effort: IdentificationEffort
    ) throws -> SpineRoles {
        try known.value(of: Question(lines: lines, filedUnder: start, names: names)) {
            try RoleAssignment.assign(lines, filedUnder: start, knowing: names, by: model, effort: effort)
        }
    }
}
