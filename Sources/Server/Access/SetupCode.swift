import Foundation

extension Gatekeeper {
    /// Returns whether a caller may create the owner: from this machine, or with the set-up code.
    ///
    /// - Parameter code: what the caller sent as set-up code.
    func maySetUp(_ caller: Caller, code: String?) -> Bool {
        if case .local = caller.kind { return true }
        guard let code else { return false }
        return Data(code.utf8).isSame(as: Data(setupCode.utf8))
    }
}
