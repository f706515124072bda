import CTesseract
package import Foundation

/// The data of Tesseract on this machine: one file for each script that it can read.
package struct ScriptData: Sendable {
    /// The file of each installed script, `NAME.traineddata`.
    package let files: [LetterScript: URL]
    /// The version of the library; nil where there is none.
    package let version: String?

    /// No data: only what the models read is read.
    package static let none = ScriptData(files: [:], version: nil)

    private init(files: [LetterScript: URL], version: String?) { (self.files, self.version) = (files, version) }

    /// Looks the data up; nothing is loaded but the library.
    ///
    /// - Parameter environment: `TESSDATA_PREFIX` names a folder to take instead of the usual ones.
    package init(environment: [String: String]) {
        guard shelf_tess_load() == nil else {
            self = .none
            return
        }
        let folder = Self.folders(environment).first { FileManager.default.fileExists(atPath: $0.path) }
        var files: [LetterScript: URL] = [:]
        for script in LetterScript.allCases {
            files[script] = script.dataNames.lazy
                .compactMap { folder?.appending(path: $0 + ".traineddata", directoryHint: .notDirectory) }
                .first { FileManager.default.isReadableFile(atPath: $0.path) }
        }
        self.init(files: files, version: String(cString: shelf_tess_version()))
    }

    /// The scripts that can be read, in a fixed order.
    package var scripts: [LetterScript] { LetterScript.allCases.filter { files[$0] != nil } }

    /// The codes of ISO 15924 of all scripts that are read, those of the models first.
    package var codes: [String] { ["Latn", "Hani", "Jpan"] + scripts.map(\.code) }

    /// Where packages of Debian, Fedora and Homebrew keep the data.
    private static func folders(_ environment: [String: String]) -> [URL] {
        if let named = environment["TESSDATA_PREFIX"], !named.isEmpty { return [URL(filePath: named)] }
        return [
            "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
            "/usr/share/tesseract/tessdata",
            "/opt/homebrew/share/tessdata", "/usr/local/share/tessdata",
        ].map { URL(filePath: $0, directoryHint: .isDirectory) }
    }
}
