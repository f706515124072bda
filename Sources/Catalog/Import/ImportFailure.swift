import ShelflistAPI

/// Why an import, or a part of it, failed; the message is shown to the user.
package enum ImportFailure: ReportedError, Equatable {
    case cannotOpen(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case unknownFormat(path: String)
    case truncatedGzip
    case brokenGzip(position: Int)
    case outOfMemory
    case malformedXML(line: Int, reason: String)
    case damagedCatalog(path: String, reason: String)

    package var problemCode: String { "import_failed" }

    package var description: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened: \(reason). Check the path and its permissions."
        case .cannotRead(let path, let reason):
            "\(path) could not be read to the end: \(reason). Check the disk, then import the file again."
        case .unknownFormat(let path):
            "\(path) is neither an Open Library dump, MARC 21, MARCXML nor CSV with a header line. Choose such a file."
        case .truncatedGzip:
            "The gzip file ends too early, so the download is incomplete. What was read is kept. Download the file "
                + "again and repeat the import."
        case .brokenGzip(let position):
            "The gzip data is damaged at byte \(position). What was read is kept. Download the file again and repeat "
                + "the import."
        case .outOfMemory:
            "There is not enough memory to read a gzip file. Close other programs and repeat the import."
        case .malformedXML(let line, let reason):
            "Line \(line): the XML is not well-formed (\(reason)). What was read is kept. Fix the file and import it again."
        case .damagedCatalog(let path, let reason):
            "\(path) is damaged (\(reason)), perhaps by a power failure during an import. Delete it and import again."
        }
    }
}

/// A line or record that was skipped.
package struct SkippedLine: Equatable, Sendable {
    /// Line in the file, counted from 1; for MARC (ISO 2709) the number of the record.
    package var line: Int
    package var reason: String
}
