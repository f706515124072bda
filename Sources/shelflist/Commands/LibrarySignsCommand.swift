import ArgumentParser
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibrarySignsCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "signs", abstract: "List what photos ask about labels and signs of shelves; answer it.",
        discussion: """
            A photo that shows the label of another shelf than the chosen one, a code that no shelf has, or a sign such as \
            “796 SPORT” asks once. --accept records the books above it on the shelf that it names.

              shelflist library signs --accept 3 --shelf 'Home / Study / Board 2'
            """)

    @Option(help: ArgumentHelp("The number of a question whose books are on the shelf.", valueName: "id"))
    var accept: String?
    @Option(help: ArgumentHelp("The number of a question whose books stay as they are.", valueName: "id"))
    var keep: String?
    @Option(help: "With --accept: the name or path of the shelf. (default: what the label or sign says)")
    var shelf: String?
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard accept == nil || keep == nil else { throw ValidationError("Choose --accept or --keep.") }
        guard shelf == nil || accept != nil else { throw ValidationError("--shelf needs --accept.") }
    }

    func run(_ client: ShelflistClient) async throws {
        if let accept {
            let outcome = try await client.shelves.answer(accept, with: LabelAnswer(accept: true, name: shelf))
            StandardStream.errors.write("\(outcome.changed) books moved.\n")
        }
        if let keep { try await client.shelves.answer(keep, with: LabelAnswer(accept: false)) }
        let questions = try await client.shelves.questions.first().items
        options.show(["questions": questions]) {
            questions.isEmpty ? ["No open questions about labels."] : questions.map(Self.line)
        }
    }

    /// Prints the questions of a scan on stderr, with how to answer them.
    static func report(_ questions: [LabelQuestion]) {
        guard !questions.isEmpty else { return }
        let lines = questions.map(line).joined(separator: "\n")
        StandardStream.errors.write(
            "\(lines)\nAnswer with 'shelflist library signs --accept ID' or '--keep ID'.\n")
    }

    /// Returns the question in words, after its number.
    private static func line(_ question: LabelQuestion) -> String {
        let books = "\(question.books) \(question.books == 1 ? "book" : "books")"
        let chosen = question.chosen.map { "“\($0.path)”" } ?? "no shelf"
        let words =
            switch question.kind {
            case .otherShelf:
                "the label \(question.text) names “\(question.shelf?.path ?? question.text)”, but \(chosen) was chosen. "
                    + "Are the \(books) above it there?"
            case .newCode: "no shelf has the code \(question.text). Which one is it? \(books) above it."
            case .sign: "is “\(question.text)” the shelf of \(books)?"
            case nil: "update shelflist to answer the question about “\(question.text)”."
            }
        return TerminalText.safe("\(question.id): \(words)")
    }
}
