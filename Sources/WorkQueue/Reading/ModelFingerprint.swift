import Crypto
import Foundation
package import Reading
import SpineReading

/// Names what decides on the text of a photo: the reading code, the models, and Tesseract with its data.
///
/// Photos are read only by workers with the server's fingerprint, so that the text is what the server would have read.
package enum ModelFingerprint {
    /// Raised with every change of the code by which a photo's text may differ; `Scripts/check_reading.py` checks it.
    private static let reading = 22

    /// Of the models that are installed here; takes tenths of a second.
    ///
    /// The models of both precisions are part of it: which of them are used depends on the processor.
    ///
    /// - Throws: errors of reading the files.
    package static func of(_ installation: Installation) throws -> String {
        var hash = SHA256()
        let scripts = installation.scripts
        hash.update(data: Data("\(scripts.version ?? "")\n".utf8))
        for file in installation.modelFiles + scripts.scripts.compactMap({ scripts.files[$0] }) {
            let data = try Data(contentsOf: file, options: .alwaysMapped)
            hash.update(data: Data("\(file.lastPathComponent) \(data.count)\n".utf8))
            hash.update(data: data)
        }
        return "\(reading)-" + hash.finalize().prefix(6).map { String(format: "%02x", $0) }.joined()
    }
}
