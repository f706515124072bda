import ArgumentParser
import Scanning

enum ScanFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case csv
}

/// Writes results one after another; the output of each call is to be printed at once.
protocol ScanWriter: Sendable {
    mutating func text(for photo: ScannedPhoto) -> String
    /// Returns the remaining output after the last photo, or without any photo.
    mutating func closing() -> String
}
