package import Foundation
import ShelflistAPI

/// Weights fitted by Scripts/fitting on read spines and catalogs, versioned with the code.
package struct MatchingModel: Decodable, Sendable {
    /// The layout of the weights file that this code reads.
    package static let version = 2

    /// Ranks candidates.
    package let ranker: LinearModel
    /// The probability that the first candidate is the book, from a spine's text alone.
    package let text: LinearModel
    /// The same for a spine in a photo, and the probability that title and author were assigned correctly.
    package let photo: LinearModel
    package let reading: LinearModel
    /// Compares the ways to read a spine: which lines are its title and which its author.
    package let roles: LinearModel

    /// The built-in weights; decoding fails only if the file is damaged.
    package static let fitted = Result { try MatchingModel(json: Data(MatchingWeights.json.utf8)) }

    /// - Throws: `MatchingModelError`, `DecodingError`.
    package init(json: Data) throws {
        self = try JSONDecoder().decode(MatchingModel.self, from: json)
    }

    private enum Key: CodingKey {
        case version, ranker, text, photo, reading, roles
    }

    package init(from decoder: any Decoder) throws {
        let file = try decoder.container(keyedBy: Key.self)
        let version = try file.decode(Int.self, forKey: .version)
        guard version == Self.version else { throw MatchingModelError.version(version) }
        func model(_ key: Key, _ names: [String]) throws -> LinearModel {
            try LinearModel(file.decode(LinearModel.Weights.self, forKey: key), names: names)
        }
        ranker = try model(.ranker, MatchFeature.names)
        text = try model(.text, LeadFeatures.names)
        photo = try model(.photo, PhotoFeatures.names)
        reading = try model(.reading, ReadingFeatures.names)
        roles = try model(.roles, ParseFeatures.names)
    }
}

/// A weights file that is incompatible with this program.
package enum MatchingModelError: ReportedError, Equatable {
    case version(Int)
    case feature(String)

    package var problemCode: String { "weights_unusable" }

    package var description: String {
        switch self {
        case .version(let found):
            "The matching weights have version \(found), not \(MatchingModel.version). Run Scripts/fitting again."
        case .feature(let name):
            "The matching weights name an unknown feature: \(name). Run Scripts/fitting again."
        }
    }
}

/// A weighted sum of features and of products of two features; a logistic regression if read as log odds.
package struct LinearModel: Sendable {
    /// The content of the weights file.
    package struct Weights: Decodable, Sendable {
        var bias: Double
        /// By the name of a feature, or by two names, `titleExact*rivals`, for their product.
        ///
        /// Features that are not listed have weight 0.
        var weights: [String: Double]
    }

    private let bias: Double
    private let single: [(place: Int, weight: Double)]
    private let pairs: [(a: Int, b: Int, weight: Double)]

    /// - Parameter names: of the features, in the order of the values.
    package init(_ weights: Weights, names: [String]) throws(MatchingModelError) {
        func place(_ name: String) throws(MatchingModelError) -> Int {
            guard let place = names.firstIndex(of: name) else { throw .feature(name) }
            return place
        }
        bias = weights.bias
        var single: [(place: Int, weight: Double)] = []
        var pairs: [(a: Int, b: Int, weight: Double)] = []
        for (name, weight) in weights.weights.sorted(by: { $0.key < $1.key }) {
            let factors = name.split(separator: "*").map(String.init)
            switch factors.count {
            case 1: single.append((try place(name), weight))
            case 2: pairs.append((try place(factors[0]), try place(factors[1]), weight))
            default: throw .feature(name)
            }
        }
        self.single = single
        self.pairs = pairs
    }

    package func value(_ features: [Double]) -> Double {
        var sum = bias
        for term in single { sum += term.weight * features[term.place] }
        for term in pairs { sum += term.weight * features[term.a] * features[term.b] }
        return sum
    }

    /// Returns the sum as a probability, 0...1.
    package func probability(_ features: [Double]) -> Double { 1 / (1 + exp(-value(features))) }
}

/// The features that determine the confidence in the first of several ranked candidates.
package enum LeadFeatures {
    package static let names = MatchFeature.names + ["score", "scoreLead"]

    /// - Parameters:
    ///   - score: the ranker's score of the first candidate.
    ///   - second: the same for the second; `nil` if there is none.
    package static func values(_ features: MatchFeatures, score: Double, second: Double?) -> [Double] {
        features.values + [bounded(score), bounded(score - (second ?? score - 10))]
    }

    /// Scores beyond 15 are equivalent.
    private static func bounded(_ sum: Double) -> Double { max(-15, min(15, sum)) / 5 }
}
