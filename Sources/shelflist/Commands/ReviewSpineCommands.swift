import ArgumentParser
import Foundation
import Library
import ShelflistAPI
import Terminal

struct ReviewCropCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "crop", abstract: "Write the picture of a book's spine as JPEG.")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Option(name: .shortAndLong, help: "The file to write.", completion: .file()) var output: String
    @Option(help: "Rotation of the spine: none, reading (text from left to right), 90, 180 or 270.")
    var turn = SpineTurn.none
    @OptionGroup var options: LibraryOptions

    func run(_ library: any LibraryAccess) async throws {
        let jpeg = try await library.crop(of: id, turn: turn, longSide: 1024)
        try await reportingErrors(output) { try Data(jpeg).write(to: URL(filePath: output), options: .atomic) }
    }
}

struct ReviewReportCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Save a report of a misread spine with its picture in the data directory.")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Option(help: "What is wrong: wrongTitle, twoBooks, notABook or cutOff (the outline does not fit).")
    var problem: FeedbackProblem?
    @Option(help: "The title on the spine.") var title: String?
    @Option(help: "The author on the spine.") var author: String?
    @Option(help: "Anything else.") var note: String?
    @OptionGroup var options: LibraryOptions

    func run(_ library: any LibraryAccess) async throws {
        let right = title == nil && author == nil ? nil : SpineReport.Right(title: title, author: author)
        let report = SpineReport(correct: false, problem: problem?.rawValue, right: right, note: note)
        options.show(["report": try await library.report(report, on: id)]) { ["Saved. \(library.howToSeeReports)"] }
    }
}

extension FeedbackProblem: ExpressibleByArgument {}
extension SpineTurn: ExpressibleByArgument {}
