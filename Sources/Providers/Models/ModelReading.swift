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
    /// Longer titles and authors are cut, in characters.
    private static let textLimit = 200
    /// The certainty of a reading for which the model gives none, or one that makes no sense.
    private static let unknownCertainty = 0.5

    /// Reads the text of a model.
    ///
    /// - Returns: the spines with a title; nil for a text without any list, which is not an answer.
    package static func readings(in text: String) -> [ModelReading]? {
        let values = PartialJSON.values(in: text)
        var readings: [ModelReading] = []
        var hasList = false
        for value in values { collect(value, into: &readings, &hasList) }
        return hasList || !readings.isEmpty ? readings : nil
    }

    private static func collect(_ value: JSONValue, into readings: inout [ModelReading], _ hasList: inout Bool) {
        guard readings.count < countLimit else { return }
        switch value {
        case .array(let values):
            for value in values { collect(value, into: &readings, &hasList) }
        case .object(let fields):
            let lists = fields.filter { $0.value.isListOfObjects }.sorted { $0.key < $1.key }
            guard lists.isEmpty else {
                hasList = true
                for list in lists { collect(list.value, into: &readings, &hasList) }
                return
            }
            let spine = SpineFields(fields)
            if spine.isSpine { hasList = true }
            if let reading = ModelReading(spine) {
                readings.append(reading)
            } else {
                // The spines may be in a part of it, such as a shelf.
                for (_, part) in fields.sorted(by: { $0.key < $1.key }) where part.isObject {
                    collect(part, into: &readings, &hasList)
                }
            }
        default: break
        }
    }

    private init?(_ fields: SpineFields) {
        guard let title = Self.text(fields.title) else { return nil }
        self.title = title
        author = Self.text(fields.author)
        number = fields.number
        certainty = Self.certainty(fields.confidence)
        box = fields.box.flatMap(ModelBox.init)
    }

    /// Returns a text without line breaks and control characters; nil for one that says that nothing was read.
    private static func text(_ value: JSONValue?) -> String? {
        let text: String
        switch value {
        case .string(let string): text = string
        case .array(let parts):
            let names = parts.compactMap { if case .string(let name) = $0 { name } else { nil } }
            text = names.joined(separator: ", ")
        default: return nil
        }
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.map { isShown($0) ? $0 : " " }))
        let words = visible.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = String(words.prefix(textLimit)).trimmingCharacters(in: .whitespaces)
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

    private static func certainty(_ value: JSONValue?) -> Double {
        switch value {
        case .number(let number): share(number) ?? unknownCertainty
        case .string(let text): certainty(word: text.lowercased().trimmingCharacters(in: .whitespaces))
        default: unknownCertainty
        }
    }

    /// A number up to 1 is a share, one up to 100 per cent.
    private static func share(_ number: Double) -> Double? {
        switch number {
        case 0...1: number
        case 1...100: number / 100
        default: nil
        }
    }

    private static func certainty(word: String) -> Double {
        if let known = words[word.replacing("_", with: " ").replacing("-", with: " ")] { return known }
        let isPercent = word.hasSuffix("%") || word.hasSuffix("percent")
        let parts = word.prefix { !"% p".contains($0) }.split(separator: "/").map {
            Double($0.replacing(",", with: "."))
        }
        switch parts.count {
        case 1:
            guard let number = parts[0] else { return unknownCertainty }
            return (isPercent ? share(number / 100) : share(number)) ?? unknownCertainty
        case 2:
            guard let part = parts[0], let whole = parts[1], whole > 0, (0...whole).contains(part) else {
                return unknownCertainty
            }
            return part / whole
        default: return unknownCertainty
        }
    }

    private static let words: [String: Double] = [
        "certain": 0.95, "very high": 0.95, "high": 0.85, "medium high": 0.7, "medium": 0.6, "moderate": 0.6,
        "medium low": 0.4, "low": 0.3, "very low": 0.1, "none": 0, "unsure": 0.3, "uncertain": 0.3, "guess": 0.2,
    ]
}

/// The fields of one spine, whatever a model calls them.
private struct SpineFields {
    private let fields: [String: JSONValue]

    init(_ fields: [String: JSONValue]) {
        self.fields = Dictionary(fields.map { ($0.key.lowercased().filter { $0 != "_" && $0 != " " }, $0.value) }) {
            first, _ in first
        }
    }

    var title: JSONValue? { first("title", "booktitle", "name") }
    var author: JSONValue? { first("author", "authors", "bookauthor", "by") }
    var confidence: JSONValue? { first("confidence", "certainty", "score", "probability") }
    var box: JSONValue? { first("box2d", "box", "bbox", "bbox2d", "boundingbox", "coordinates") }

    /// Whether these are the fields of a spine, even of one without a title.
    var isSpine: Bool { title != nil && (author ?? confidence ?? box ?? first("number")) != nil }

    var number: Int? {
        switch first("number", "n", "spine", "index", "id") {
        case .number(let number): Int(exactly: number)
        case .string(let text): Int(text.trimmingCharacters(in: .whitespaces).drop { $0 == "#" })
        default: nil
        }
    }

    private func first(_ names: String...) -> JSONValue? { names.lazy.compactMap { fields[$0] }.first }
}

extension JSONValue {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }

    /// An empty list counts: the model saw no spine.
    fileprivate var isListOfObjects: Bool {
        guard case .array(let values) = self else { return false }
        return values.allSatisfy { if case .object = $0 { true } else { false } }
    }
}
