package import Foundation

/// Identifies a build of the program.
package struct Build: Codable, Hashable, Sendable {
    package var version: String
    /// The abbreviated commit of the sources; `nil` if it is not known.
    package var commit: String?

    package init(version: String, commit: String?) { (self.version, self.commit) = (version, commit) }
}

/// The file that names the build of an installed program: `PREFIX/share/shelflist/build.json`, or `build.json` beside a
/// program that was built in a checkout.
///
/// An upgrade replaces it while the server runs, so the server reports that it has to be restarted.
package struct BuildFile: Sendable {
    private let program: URL

    /// - Parameter program: the program's file, links followed.
    package init(of program: URL) { self.program = program }

    /// Returns the build that is installed now.
    ///
    /// - Returns: `nil` without a file, or if it cannot be read: nothing depends on it.
    package func read() -> Build? {
        let folder = program.deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appending(path: "share/shelflist/build.json")
        if let build = Self.build(in: installed) { return build }
        let beside = folder.appending(path: "build.json")
        // A program that was built again without the file is newer than it.
        guard let written = Self.modified(beside), let built = Self.modified(program), written >= built else {
            return nil
        }
        return Self.build(in: beside)
    }

    private static func build(in file: URL) -> Build? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Build.self, from: $0) }
    }

    private static func modified(_ file: URL) -> Date? {
        try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
}
