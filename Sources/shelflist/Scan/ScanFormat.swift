import ArgumentParser
import Scanning

/// How the results of `shelflist scan` are written.
enum ScanFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case csv
}

/// Writes results one after another; what each call returns is to be printed at once.
protocol ScanWriter: Sendable {
    mutating func text(for photo: ScannedPhoto) -> String
    /// What is left to print after the last photo, however many there were.
    mutating func closing() -> String
}
