import Synchronization

/// The places for passwords that are checked or wait.
///
/// Each check takes 128 MB for about 0.3 s, one after the other. Strangers cannot keep members out: a network has one place,
/// and some places are for networks and browsers in which the member was signed in.
package final class PasswordPlaces: Sendable {
    /// Who wants a password checked.
    package struct Applicant: Hashable, Sendable {
        /// As rate limits count it; `nil` where it does not count: for known browsers, and where a password is only hashed.
        package var network: String?
        /// Whether the member was signed in in this network or browser.
        package var isKnown: Bool

        package init(network: String?, isKnown: Bool) { (self.network, self.isKnown) = (network, isKnown) }

        /// A member who is signed in, or has the set-up code.
        static let member = Applicant(network: nil, isKnown: true)
    }

    private struct State {
        var taken = 0
        var networks: Set<String> = []
    }

    /// The places for all.
    package static let all = 8
    /// Those of them that only known applicants get.
    package static let known = 2

    private let state = Mutex(State())

    package init() {}

    /// - Returns: whether there is a place, which has to be left again.
    package func enter(_ applicant: Applicant) -> Bool {
        state.withLock { state in
            guard state.taken < (applicant.isKnown ? Self.all : Self.all - Self.known) else { return false }
            if let network = applicant.network {
                guard state.networks.insert(network).inserted else { return false }
            }
            state.taken += 1
            return true
        }
    }

    package func leave(_ applicant: Applicant) {
        state.withLock { state in
            state.taken -= 1
            if let network = applicant.network { state.networks.remove(network) }
        }
    }
}
