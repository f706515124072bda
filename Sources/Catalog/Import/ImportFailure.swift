/// Why an import, or one line of it, failed; worded for the person who started it.
package enum ImportFailure: Error, Equatable, CustomStringConvertible {
    case cannotOpen(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case unknownFormat(path: String)
    case truncatedGzip
    case brokenGzip(position: Int)
    case outOfMemory
    case malformedXML(line: Int, reason: String)
    case damagedCatalog(path: String, reason: String)

    /// Whether it does not tell itself where in the file it happened, in lines or records.
    var isUnplaced: Bool {
        switch self {
        case .cannotRead, .truncatedGzip, .brokenGzip: true
        case .cannotOpen, .unknownFormat, .outOfMemory, .malformedXML, .damagedCatalog: false
        }
    }

    package var description: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened: \(reason)"
        case .cannotRead(let path, let reason):
            "\(path) cannot be read any further: \(reason)"
        case .unknownFormat(let path):
            "\(path) is neither an Open Library dump, MARC 21, MARCXML nor CSV with a header line"
        case .truncatedGzip:
            "the gzip file ends too early, so the download was cut off; what came before is kept. Fetch the file again "
                + "and import it once more"
        case .brokenGzip(let position):
            "the gzip data is damaged at byte \(position); what came before is kept. Fetch the file again and import "
                + "it once more"
        case .outOfMemory:
            "there is not enough memory to read a gzip file"
        case .malformedXML(let line, let reason):
            "line \(line): the XML is not well-formed (\(reason)); what came before is kept"
        case .damagedCatalog(let path, let reason):
            "\(path) is damaged (\(reason)), perhaps by a power cut during an import; delete it and import again"
        }
    }
}

/// A line or record that was left out.
package struct SkippedLine: Equatable, Sendable {
    /// Line of the file, counted from 1; for MARC (ISO 2709) the number of the record.
    package var line: Int
    package var reason: String
}
