import Concurrency

/// Keeps the roles of spines' lines, because a photo is identified again with each answer of a provider.
final class RoleCache: Sendable {
    /// 2,000 spines take about 5 MB.
    private let known = BoundedCache<[UprightLine], SpineRoles>(limit: 2_000)

    /// - Parameters:
    ///   - lines: of one spine, in reading order.
    ///   - model: always the same.
    /// - Throws: `IdentificationError.tooMuchText`.
    func roles(of lines: [UprightLine], by model: LinearModel, effort: IdentificationEffort) throws -> SpineRoles {
        try known.value(of: lines) { try RoleAssignment.assign(lines, by: model, effort: effort) }
    }
}
