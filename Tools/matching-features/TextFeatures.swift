import Bibliography
import Fixtures
import Foundation
import Identification
import ShelflistAPI

/// Matches spine texts against the candidates of a catalog.
///
/// A query is `{"id", "text"}`, with optional `"without": [record numbers]` for records to treat as missing from the
/// catalog. For each query, prints a line `{"id", "records"}` and appends a row of 32-bit floats per record to the
/// features file.
enum TextFeatures {
    private struct SpineQuery: Decodable {
        var id: String
        var text: String
        var without: [String]?
    }

    private struct Found: Encodable {
        var id: String
        var records: [String]
    }

    static func write(to path: String, catalog: InMemoryCatalog) throws {
        let weights = WordWeights(catalog: catalog)
        let matcher = try SpineMatcher(catalog: catalog, weights: weights)
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        while let line = readLine() {
            let query = try JSONDecoder().decode(SpineQuery.self, from: Data(line.utf8))
            let hidden = Set(query.without ?? [])
            let lacking = LackingCatalog(whole: catalog) { hidden.contains($0.id) }
            let asked = try hidden.isEmpty ? matcher : SpineMatcher(catalog: lacking, weights: weights)
            let found = try asked.candidates(for: [ReadText(text: query.text, score: 1)])
            var floats: [Float] = []
            for candidate in found { floats += candidate.features.values.map { Float($0) } }
            try file.write(contentsOf: floats.withUnsafeBytes { Data($0) })
            try printLine(Found(id: query.id, records: found.map(\.record.id)))
        }
        try file.close()
    }
}
