import Synchronization

/// Keeps the roles of spines' lines, because a photo is identified again with each answer of a provider.
final class RoleCache: Sendable {
    /// The cache is emptied beyond this many spines; 2,000 take about 5 MB.
    private static let limit = 2_000
    private let known = Mutex<[[UprightLine]: SpineRoles]>([:])

    /// - Parameters:
    ///   - lines: of one spine, in reading order.
    ///   - model: always the same.
    func roles(of lines: [UprightLine], by model: LinearModel) -> SpineRoles {
        if let roles = known.withLock({ $0[lines] }) { return roles }
        let roles = RoleAssignment.assign(lines, by: model)
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[lines] = roles
        }
        return roles
    }
}
