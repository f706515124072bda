import Bibliography
import Foundation
import SpineReading

/// Finds spines whose text is most probably not the title of a book: ornaments and small print that were read as words,
/// stickers, a board's label, an imprint apart from its spine.
///
/// Such text was read badly, or is short beside the titles of the shelf, or both.
package struct ScrapText {
    /// Surer spines are books, 0...1: the weights were fitted on others.
    private static let sure = 0.6
    /// Titles of at least this confidence show how long titles are on the shelf, 0...1.
    private static let likely = 0.5
    /// Text is a scrap below this probability.
    private static let lowest = 0.25
    /// Of the length of the shelf's usual title.
    ///
    /// Longer text is that of a spine that a person can read, or another reader, however badly it was read. No scrap of the
    /// 35 photos is as long.
    private static let longest = 0.6
    /// Lower confidences say no more.
    private static let leastConfidence = 0.004

    /// The weights of a logistic regression, which `Scripts/fitting/fit_scraps.py` prints.
    ///
    /// Over the Latin titles below `sure` that were read on 35 photos, without misread titles of books.
    /// Fitted on 15 photos and judged on 20 of other sources, and the other way round, 39 of 127 wrong reports are scraps and
    /// three of 478 right ones.
    private static let (weightOfConfidence, weightOfLength, bias) = (1.6, 4.0, 4.2)

    /// A spine of which a title was read.
    package struct Spine {
        /// 0...1.
        package var confidence: Double
        /// Of the text, in pixels.
        package var length: Double

        package init(confidence: Double, length: Double) { (self.confidence, self.length) = (confidence, length) }
    }

    /// The median length of the shelf's likely titles, in pixels.
    private let usualLength: Double

    /// - Parameter spines: all of one photo.
    package init(_ spines: [Spine]) {
        let likely = spines.filter { $0.confidence >= Self.likely }
        let lengths = (likely.isEmpty ? spines : likely).map(\.length).sorted()
        usualLength = lengths.isEmpty ? 1 : max(1, lengths[lengths.count / 2])
    }

    /// Whether the text of a spine is a scrap.
    package func contains(_ spine: Spine) -> Bool {
        guard spine.confidence < Self.sure, spine.length < Self.longest * usualLength else { return false }
        let confidence = max(Self.leastConfidence, spine.confidence)
        let sum =
            Self.weightOfConfidence * log(confidence / (1 - confidence))
            + Self.weightOfLength * log(max(1, spine.length) / usualLength) + Self.bias
        return 1 / (1 + exp(-sum)) < Self.lowest
    }

    /// Returns the places of the shown spines that are scraps.
    ///
    /// The weights are those of titles as they are read. So spines without a title stay, which have an author's name or text
    /// in letters that are not known, those with title and author, those that are named by a record or a model, and those
    /// that have a library's label. Titles in other than Latin letters stay as well: other recognisers read them, with
    /// scores of another scale.
    static func places(among judged: [JudgedSpine], shown: [Int]) -> [Int] {
        let spines = shown.compactMap { place -> (place: Int, spine: Spine)? in
            guard judged[place].title != nil, let length = length(of: judged[place]) else { return nil }
            return (place, Spine(confidence: judged[place].confidence, length: length))
        }
        let scraps = ScrapText(spines.map(\.spine))
        return spines.filter { place, spine in
            guard let title = judged[place].title else { return false }
            return judged[place].author == nil && !judged[place].isNamedByMatch
                && judged[place].callNumber == nil && isLatin(title)
                && scraps.contains(spine)
        }.map(\.place)
    }

    /// The length of the longest line, or of the words one below the other, in pixels; nil without text.
    package static func length(of spine: JudgedSpine) -> Double? { SpineText(spine.lines)?.length }

    private static func isLatin(_ title: String) -> Bool {
        !EastAsianText.isMost(of: title)
            && !title.contains { letter in LetterScript.allCases.contains { $0.contains(letter) } }
    }
}
