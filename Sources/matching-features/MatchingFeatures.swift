import Bibliography
import Foundation
import Identification

/// Writes what the matching models are told about spines, for Scripts/fitting: one implementation of the features.
///
///     matching-features names
///     matching-features text FEATURES.f32 CATALOG.csv... < QUERIES.ndjson > CANDIDATES.ndjson
///     matching-features photos VARIANTS MODELS LINES PHOTO... -- CATALOG.csv... > SPINES.ndjson
@main
enum MatchingFeatures {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "names": try printLine(FeatureNames())
        case "text" where arguments.count >= 3:
            try TextFeatures.write(to: arguments[1], catalog: InMemoryCatalog(records: records(arguments[2...])))
        case "photos" where arguments.count >= 5:
            guard let variants = Int(arguments[1]), let mark = arguments.firstIndex(of: "--") else { return usage() }
            try await PhotoSpines.write(
                variants: variants, models: arguments[2], lines: arguments[3], photos: arguments[4..<mark],
                records: records(arguments[(mark + 1)...]))
        default: usage()
        }
    }

    private static func usage() {
        FileHandle.standardError.write(
            Data(
                "usage: matching-features names | text FEATURES CATALOG... | photos VARIANTS MODELS LINES PHOTO... -- CATALOG...\n"
                    .utf8))
        exit(2)
    }

    /// The records of all files, numbered from 0 in their order.
    private static func records(_ paths: some Sequence<String>) throws -> [Record] {
        var records: [Record] = []
        for path in paths {
            records += try CatalogCSV.records(from: [UInt8](Data(contentsOf: URL(filePath: path))))
        }
        for index in records.indices { records[index].id = "\(index)" }
        return records
    }
}

func printLine(_ value: some Encodable) throws {
    print(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
}

private struct FeatureNames: Encodable {
    var match = MatchFeatures.allNames
    var lead = LeadFeatures.names
    var photo = PhotoFeatures.names
    var reading = ReadingFeatures.names
}
