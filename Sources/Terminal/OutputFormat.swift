import ArgumentParser

/// The output format of a command that prints one document.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
}

/// A command, or its options, with an output format.
package protocol PrintsDocuments {
    var format: OutputFormat { get }
}

extension PrintsDocuments {
    /// Prints a document as JSON, or text lines.
    package func show(_ document: some Encodable, _ lines: () -> [String]) {
        switch format {
        case .json: StandardStream.output.write(JSONText.document(document))
        case .table: StandardStream.output.write(lines().map { $0 + "\n" }.joined())
        }
    }
}
