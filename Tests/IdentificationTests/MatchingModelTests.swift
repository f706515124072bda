import Foundation
import Identification
import Testing

@Suite("Weights of matching")
struct MatchingModelTests {
    @Test("Every lead is that of a measure")
    func leads() {
        #expect(MatchFeature.compared.count == MatchFeature.names.count { $0.hasSuffix("Lead") })
        #expect(
            MatchFeature.compared.map { "\($0.of.stringValue)Lead" } == MatchFeature.compared.map(\.lead.stringValue))
    }

    @Test("The program's own weights load and weigh the features of every model")
    func own() throws {
        let model = try MatchingModel.fitted.get()
        let models = [
            (model.ranker, MatchFeature.allCases.count), (model.text, LeadFeatures.names.count),
            (model.photo, PhotoFeatures.names.count), (model.reading, ReadingFeatures.names.count),
            (model.roles, ParseFeatures.names.count),
        ]
        for (linear, count) in models {
            let nothing = linear.value([Double](repeating: 0, count: count))
            let everything = linear.value([Double](repeating: 1, count: count))
            #expect(nothing.isFinite && everything.isFinite && nothing != everything)
        }
    }

    private static func file(version: Int = MatchingModel.version, ranker: String = #"{"bias": 0, "weights": {}}"#)
        -> Data
    {
        let empty = #"{"bias": 0, "weights": {}}"#
        return Data(
            #"{"version": \#(version), "ranker": \#(ranker), "text": \#(empty), "photo": \#(empty), "reading": \#(empty), "roles": \#(empty)}"#
                .utf8)
    }

    @Test("A model is a sum of features and products")
    func sum() throws {
        let weights = #"{"bias": 1, "weights": {"evidence": 2, "evidence*hasAuthor": 3}}"#
        let model = try MatchingModel(json: Self.file(ranker: weights)).ranker
        var values = [Double](repeating: 0, count: MatchFeature.allCases.count)
        #expect(model.value(values) == 1)
        values[MatchFeature.evidence.rawValue] = 5
        #expect(model.value(values) == 11)
        values[MatchFeature.hasAuthor.rawValue] = 1
        #expect(model.value(values) == 26)
        #expect(model.probability(values) > 0.999)
    }

    @Test("Weights of another version are refused")
    func version() {
        #expect(throws: MatchingModelError.version(1)) { try MatchingModel(json: Self.file(version: 1)) }
    }

    @Test("Weights of unknown features are refused by name")
    func feature() {
        let weights = #"{"bias": 0, "weights": {"colour": 1}}"#
        #expect(throws: MatchingModelError.feature("colour")) { try MatchingModel(json: Self.file(ranker: weights)) }
    }

    @Test("A damaged file is refused", arguments: ["", "{}", "[]", #"{"version": 2}"#])
    func spoilt(_ text: String) {
        #expect(throws: (any Error).self) { try MatchingModel(json: Data(text.utf8)) }
    }
}
