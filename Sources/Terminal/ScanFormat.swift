import ArgumentParser
package import Reading

package enum ScanFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case csv

    /// Returns a writer for standard output.
    package var writer: any ScanWriter {
        switch self {
        case .table: ScanTable(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
        case .json: ScanJSON()
        case .csv: ScanCSV()
        }
    }
}

/// Writes results one after another; the output of each call is to be printed at once.
package protocol ScanWriter: Sendable {
    mutating func text(for photo: ScannedPhoto) -> String
    /// Returns the remaining output after the last photo, or without any photo.
    mutating func closing() -> String
}
