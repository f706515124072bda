import ArgumentParser
import Foundation
import Library
import Reading
import ShelflistAPI
import Terminal

/// `scan --check`: says of each book of the photos whether the library has it, and stores nothing.
extension ScanCommand {
    /// - Throws: `ValidationError` for an option that does not go with it.
    func checkOptionsOfCheck() throws {
        let options: [(name: String, isGiven: Bool)] = [
            ("--import", isImported), ("--shelf", shelf != nil), ("--compare", compare != nil), ("--online", online),
            ("--reader \(reader?.rawValue ?? "")", reader != nil && reader != .local),
            ("--format csv", format == .csv),
        ]
        if let option = options.first(where: \.isGiven) {
            throw ValidationError(
                "\(option.name) does not go with --check, which stores nothing and asks no provider. Leave it out.")
        }
    }

    /// Prints whether the library has the books of photos that this machine read.
    ///
    /// - Throws: `LibraryError`, `StorageError`.
    func printAnswers(about photos: [Int: ScannedPhoto], in library: LibraryStore?) async throws {
        guard let library else { return }
        let spines = photos.sorted { $0.key < $1.key }.flatMap { $0.value.books }
        let answers = try await library.answers(about: spines)
        printAnswers(
            zip(spines, answers).map { OwnedSpine(title: $0.title, author: $0.author, answer: $1) })
    }

    func printAnswers(_ spines: [OwnedSpine]) {
        let text =
            format == .json ? JSONText.document(spines) : OwnedSpine.table(spines).map { $0 + "\n" }.joined()
        StandardStream.output.write(text)
    }
}

/// A book of a photo, and whether the library has it.
struct OwnedSpine: Encodable {
    @Null var title: String?
    @Null var author: String?
    var answer: OwnAnswer

    /// One row for each spine, in their order in the photo, under how many there are of each verdict.
    static func table(_ spines: [OwnedSpine]) -> [String] {
        let counts = OwnVerdict.allCases.compactMap { verdict -> String? in
            let count = spines.count { $0.answer.verdict == verdict }
            return count == 0 ? nil : "\(count) \(verdict.label)"
        }
        let table = TerminalTable(
            columns: [.init("verdict"), .init("title", atLeast: 20), .init("author", dropped: 1), .init("where")],
            rows: spines.map { spine -> [TerminalTable.Cell] in
                [
                    .init(spine.answer.verdict.label), .init(spine.title ?? "(unread)"), .init(spine.author ?? ""),
                    .init(spine.answer.copies.first?.place ?? spine.answer.volumeOfSeries ?? ""),
                ]
            })
        guard !spines.isEmpty else { return ["No book was found."] }
        return [counts.joined(separator: ", ") + ".", ""] + table.onTerminal()
    }
}

extension OwnVerdict {
    /// In a table.
    fileprivate var label: String {
        switch self {
        case .have: "have it"
        case .otherEdition: "other edition"
        case .wished: "wish list"
        case .fillsGap: "fills a gap"
        case .unsure: "not sure"
        case .notYours: "not yours"
        }
    }
}
