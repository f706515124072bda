package import Bibliography
import ShelflistAPI

/// What one spine shows: the book that its record or its text names.
package struct JudgedSpine: Sendable {
    /// The record that explains the spine best, and how sure that is.
    package struct Belief: Sendable {
        package var record: BookRecord
        /// The values of `PhotoFeatures`.
        package var features: [Double]
        /// Whether hardly anything of the record but its author was read.
        var isUntitled = false
        /// What the probability cannot exceed, 0...1.
        package var highest: Double
        /// That the record is the book, 0...1.
        package var probability: Double

        mutating func limit(to most: Double) {
            (highest, probability) = (min(highest, most), min(probability, most))
        }
    }

    package var title: String?
    package var author: String?
    var isbn: String?
    /// Calibrated probability that title and author name the book, 0...1.
    package var confidence: Double
    /// Nil without a record.
    package var belief: Belief?
    /// The record that a person's decision or the place of the photo gives the spine; nil for that of `belief`.
    var named: BookRecord?
    /// Whether a source was asked about the spine.
    var checked: Bool
    var matches: [BookMatch]
    /// The records that the text may refer to, best first.
    var candidates: [SpineMatcher.Candidate] = []
    /// In reading order.
    package var lines: [UprightLine]
    /// The text of the lines and of the fragments printed beside them, in reading order.
    var text: [ReadText]
    /// On the label of a library.
    var callNumber: String?

    /// The record that explains the spine.
    var record: BookRecord? { named ?? belief?.record }

    /// Returns the spine with what was read instead of a record.
    func named(_ read: ReadBook, checked: Bool) -> JudgedSpine {
        var judged = self
        (judged.title, judged.author, judged.isbn) = (read.title, read.author, nil)
        (judged.confidence, judged.checked) = (read.probability, checked)
        return judged
    }

    /// Whether title and author are those of a record or of a model's opinion, rather than as read.
    var isNamedByMatch: Bool { matches.record(title: title, author: author, isbn: isbn) != nil }

    func isVerified(from threshold: Double) -> Bool {
        let record = matches.record(title: title, author: author, isbn: isbn)
        return ReviewStatus(confidence: confidence, checked: checked, record: record, threshold: threshold) == .verified
    }
}
