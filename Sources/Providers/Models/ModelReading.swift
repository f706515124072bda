import Bounds
import Foundation

/// What a model says about one spine.
package struct ModelReading: Hashable, Sendable {
    /// The number of the spine on a sheet; nil in the answer about a photo.
    package var number: Int?
    package var title: String
    package var author: String?
    /// How sure the model says it is, 0...1.
    package var certainty: Double
    package var box: ModelBox?

    /// More spines in one answer are not read.
    package static let countLimit = 400
    /// Longer titles and authors are cut, in bytes of UTF-8.
    private static let textLimit = 400
    /// The certainty of a reading for which the model gives none, or one that makes no sense.
    private static let unknownCertainty = 0.5

    /// Reads the text of a model: the JSON that the prompt asks for, in a code fence or without one.
    ///
    /// - Returns: the spines with a title; nil for a text without a list, which is not an answer.
    package static func readings(in text: String) -> [ModelReading]? {
        let parts = text.components(separatedBy: "```")
        let json = Data((parts.count > 1 ? parts[1].trimmingPrefix("json") : Substring(text)).utf8)
        let list = ProviderAnswer.decode([Lenient<Spine>].self, json)
        guard let spines = ProviderAnswer.decode(Answer.self, json)?.spines ?? list else { return nil }
        return Array(spines.compactMap(\.value).compactMap(ModelReading.init).prefix(countLimit))
    }

    private struct Answer: Decodable {
        var spines: [Lenient<Spine>]
    }

    private struct Spine: Decodable {
        var number: Lenient<Int>?
        var title: String?
        var author: Lenient<String>?
        var confidence: Confidence?
        var box_2d: Lenient<ModelBox>?
    }

    /// A share of 1, or a word.
    private struct Confidence: Decodable {
        private static let words = ["high": 0.85, "medium": 0.6, "low": 0.3]

        var share: Double

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            let word = (try? value.decode(String.self)).flatMap { Self.words[$0.lowercased()] }
            let number = (try? value.decode(Double.self)).flatMap { (0...1).contains($0) ? $0 : nil }
            share = word ?? number ?? unknownCertainty
        }
    }

    private init?(_ spine: Spine) {
        guard let title = Self.text(spine.title) else { return nil }
        self.title = title
        author = Self.text(spine.author?.value)
        number = spine.number?.value
        certainty = spine.confidence?.share ?? Self.unknownCertainty
        box = spine.box_2d?.value
    }

    /// Returns a text without line breaks and control characters; nil for one that says that nothing was read.
    private static func text(_ text: String?) -> String? {
        guard let text else { return nil }
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.map { isShown($0) ? $0 : " " }))
        let words = visible.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = BoundedText(words, limit: textLimit).text.trimmingCharacters(in: .whitespaces)
        guard shown.contains(where: { $0.isLetter || $0.isNumber }), !nothing.contains(shown.lowercased()) else {
            return nil
        }
        return shown
    }

    private static let nothing: Set<String> = [
        "unknown", "unreadable", "illegible", "not legible", "not readable", "n/a", "na", "none", "null", "nil",
        "no title", "untitled", "unclear", "unknown title", "unknown author", "not visible", "blank", "anonymous",
    ]

    /// Whether a character is neither a control nor a formatting character, such as one that reverses the direction.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
