import Foundation

/// The folder with everything that is kept.
package enum DataFolder {
    /// `SHELFLIST_DATA`, else `shelflist` in the XDG data home.
    package static func path(environment: [String: String]) -> String {
        func named(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        if let folder = named("SHELFLIST_DATA") { return folder }
        // The XDG specification requires relative paths to be ignored.
        if let home = named("XDG_DATA_HOME"), home.hasPrefix("/") { return home + "/shelflist" }
        return (named("HOME") ?? NSHomeDirectory()) + "/.local/share/shelflist"
    }

    /// The folder of commands that do not name one.
    package static var current: String { path(environment: ProcessInfo.processInfo.environment) }
}
