import Concurrency

/// Keeps the roles of spines' lines, because a photo is identified again with each answer of a provider.
final class RoleCache: Sendable {
    /// 2,000 spines take about 5 MB.
    private let known = BoundedCache<[UprightLine], SpineRoles>(limit: 2_000)

    /// - Parameters:
    ///   - lines: of one spine, in reading order.
    ///   - model: always the same.
    func roles(of lines: [UprightLine], by model: LinearModel) -> SpineRoles {
        known.value(of: lines) { RoleAssignment.assign(lines, by: model) }
    }
}
