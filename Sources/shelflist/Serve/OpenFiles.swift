import Foundation

/// The number of files and connections that this process may open.
enum OpenFiles {
    /// Raises the limit to the highest that the system allows.
    ///
    /// The usual limit of 1,024 is kept for programs that use `select`, which this one does not.
    static func raiseLimit() {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        // macOS refuses "unlimited".
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        // Without it the server works with fewer connections.
        _ = setrlimit(resource, &limit)
    }
}
