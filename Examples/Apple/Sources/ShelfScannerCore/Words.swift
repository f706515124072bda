import Foundation
public import ShelflistModels

/// What rows and VoiceOver say about values.
public enum Words {
    /// A confidence of 0...1 as per cent.
    public static func percent(_ confidence: Double) -> String {
        // A value that is not a number is not above 0.
        let part = confidence > 0 ? min(confidence, 1) : 0
        return "\(Int((part * 100).rounded(.down))) %"
    }

    /// How sure a reading is, beside its spine.
    public static func sureness(_ confidence: Double) -> String { "\(percent(confidence)) sure" }

    /// A book of a scan or queue as one sentence.
    public static func book(_ title: String?, by author: String?, confidence: Double?) -> String {
        var parts = [title.flatMap(\.nonEmpty) ?? "Book without a title"]
        if let author = author.flatMap(\.nonEmpty) { parts.append("by \(author)") }
        if let confidence { parts.append(sureness(confidence)) }
        return parts.joined(separator: ", ")
    }

    /// The heading of a section of the review queue.
    public static func tier(_ tier: ConfidenceTier?) -> String {
        switch tier {
        case .needsReview: "Needs review"
        case .verify: "Verify"
        case .ready: "Ready to add"
        case .notChecked: "Not checked"
        case nil: "Questions"
        }
    }

    /// What became of a book of a scan.
    public static func state(_ state: ScanBookOutcome.State) -> String {
        switch state {
        case .open: "Not added"
        case .added: "In the library"
        case .review: "Needs review"
        case .question: "Possible duplicate"
        case .skipped: "Skipped"
        case .rejected: "Not a book"
        case .removed: "Removed"
        case .unknown: "Unknown"
        }
    }

    /// What happens to a scan of the list.
    public static func state(_ state: ScanListModel.Scan.State) -> String {
        switch state {
        case .waiting: "Waiting"
        case .sending(let upload): "Sending photo \(upload.photo) of \(upload.photos)"
        case .refused(let reason): reason
        case .reading(let progress): progress?.message ?? "On the server"
        case .done(let summary): "\(summary.books) \(summary.books == 1 ? "book" : "books")"
        case .failed(let error): error.message
        }
    }

    /// How far a scan of the list is, 0...1; nil while that is not known.
    public static func fraction(_ state: ScanListModel.Scan.State) -> Double? {
        switch state {
        case .sending(let upload): upload.fraction
        case .reading(let progress): progress?.progress
        case .waiting, .refused, .done, .failed: nil
        }
    }

    /// A countdown as `1:05`.
    public static func countdown(_ time: Duration) -> String {
        let seconds = max(0, time.components.seconds)
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Where a spine is, counted from 1.
    public static func place(_ place: PlaceInPhoto) -> String {
        "Board \(place.row) of \(place.rows), book \(place.place) of \(place.places)"
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension SearchRecord {
    /// The cover on the server; nil for a record without one.
    public var cover: ServerPath? { record.coverURL.map { ServerPath($0.absoluteString) } }
}
