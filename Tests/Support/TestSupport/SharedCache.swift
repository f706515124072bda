package import Foundation

/// Compiled networks and the starter list's index, which all tests share: making them takes seconds.
package enum SharedCache {
    /// The folder that SHELFLIST_CACHE names, or one in the checkout's build folder.
    package static let folder: URL = {
        let named = ProcessInfo.processInfo.environment["SHELFLIST_CACHE"] ?? ""
        let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardized
        return named.isEmpty ? checkout.appending(path: ".build/test-cache") : URL(filePath: named)
    }()
}
