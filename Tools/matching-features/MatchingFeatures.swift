import Bibliography
import Catalog
import Fixtures
import Foundation
import Identification

/// Writes the features of spines for fitting the matching models with Scripts/fitting, computed by the same code as
/// in the product.
///
///     matching-features names
///     matching-features text FEATURES.f32 CATALOG.csv... < QUERIES.ndjson > CANDIDATES.ndjson
///     matching-features roles < SPINES.ndjson > READINGS.ndjson
///     matching-features photos [--roles ROLES.json] CHECKOUT LINES PHOTO... -- [LIST.csv...] [CATALOG.sqlite] [SEARCHED/]
///         > SPINES.ndjson
///     matching-features pairs CHECKOUT LINES PHOTO... > PAIRS.ndjson
///     matching-features scraps CHECKOUT LINES PHOTO... > SPINES.ndjson
@main
enum MatchingFeatures {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let roles = try rolesOfPhotos(&arguments)
        switch arguments.first {
        case "names": try printLine(FeatureNames())
        case "text" where arguments.count >= 3:
            try TextFeatures.write(
                to: arguments[1], catalog: InMemoryCatalog(records: lists(arguments[2...]).flatMap { $0 }))
        case "roles": try RoleFeatures.write()
        case "photos" where arguments.count >= 5:
            guard let mark = arguments.firstIndex(of: "--"), mark > 3 else { return usage() }
            let files = arguments[(mark + 1)...]
            try await PhotoSpines.write(
                installation: arguments[1], lines: arguments[2], photos: arguments[3..<mark],
                records: PhotoSpines.Records(
                    lists: files.filter { $0.hasSuffix(".csv") }, crowd: files.first { $0.hasSuffix(".sqlite") },
                    searched: files.first { $0.hasSuffix("/") }), roles: roles)
        case "pairs" where arguments.count >= 4:
            try await PhotoText.writePairs(
                installation: arguments[1], lines: arguments[2], photos: arguments.dropFirst(3))
        case "scraps" where arguments.count >= 4:
            try await PhotoText.writeScraps(
                installation: arguments[1], lines: arguments[2], photos: arguments.dropFirst(3))
        default: usage()
        }
    }

    /// Removes `--roles FILE` from the arguments of `photos`; returns the weights of the roles for each photo that the file
    /// names.
    private static func rolesOfPhotos(_ arguments: inout [String]) throws -> [String: LinearModel] {
        guard arguments.count > 2, arguments[0] == "photos", arguments[1] == "--roles" else { return [:] }
        let file = try Data(contentsOf: URL(filePath: arguments[2]))
        arguments.removeSubrange(1...2)
        return try JSONDecoder().decode([String: LinearModel.Weights].self, from: file)
            .mapValues { try LinearModel($0, names: ParseFeatures.names) }
    }

    private static func usage() {
        FileHandle.standardError.write(
            Data(
                "usage: matching-features names | text FEATURES CATALOG... | roles | photos [--roles ROLES] CHECKOUT LINES PHOTO... -- [LIST.csv...] [CATALOG.sqlite] [SEARCHED/] | pairs CHECKOUT LINES PHOTO... | scraps CHECKOUT LINES PHOTO...\n"
                    .utf8))
        exit(2)
    }

    /// Reads the records of each file, numbered consecutively from 0.
    private static func lists(_ paths: some Sequence<String>) throws -> [[BookRecord]] {
        var number = 0
        return try paths.map { path in
            try CatalogCSV.records(from: [UInt8](Data(contentsOf: URL(filePath: path)))).map { record in
                var record = record
                record.id = "\(number)"
                number += 1
                return record
            }
        }
    }
}

func printLine(_ value: some Encodable) throws {
    print(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
}

private struct FeatureNames: Encodable {
    var match = MatchFeature.names
    var lead = LeadFeatures.names
    var photo = PhotoFeatures.names
    var reading = ReadingFeatures.names
    var roles = ParseFeatures.names
    var pair = LinePair.names
}
