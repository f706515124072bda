import ArgumentParser
import Foundation
import Library
import ShelflistAPI
import ShelflistClient
import Terminal

struct ReviewCropCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "crop", abstract: "Write the picture of a book's spine as JPEG.")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Option(name: .shortAndLong, help: "The file to write.", completion: .file()) var output: String
    @Option(help: "Rotation of the spine: none, reading (text from left to right), 90, 180 or 270.")
    var turn = SpineTurn.none
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let jpeg = try await client.review.crop(
            ofDetection: try await client.review.detection(of: id), turn: turn.rawValue, longSide: 1024)
        try await reportingErrors(output) { try jpeg.write(to: URL(filePath: output), options: .atomic) }
    }
}

struct ReviewReportCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Save a report of a misread spine with its picture in the data directory.")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Option(help: "What is wrong: wrongTitle, twoBooks, notABook or cutOff (the outline does not fit).")
    var problem: SpineProblem?
    @Option(help: "The title on the spine.") var title: String?
    @Option(help: "The author on the spine.") var author: String?
    @Option(help: "Anything else.") var note: String?
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let right = title == nil && author == nil ? nil : SpineReport.Right(title: title, author: author)
        var report = SpineReport(correct: false, problem: problem, right: right, note: note)
        report.detectionId = try await client.review.detection(of: id)
        try await client.review.report(report)
        let place = try options.place.address() == nil ? "" : ", on the server's machine"
        options.show(["report": report]) { ["Saved. To see all\(place): shelflist activity export --format json"] }
    }
}

extension ReviewRequests {
    /// Returns the identifier of the spine that shows a book.
    ///
    /// - Throws: `CommandError` if no photo shows it.
    fileprivate func detection(of id: RowID<LibraryEntry>) async throws -> String {
        let item = try await item(id.item)
        // A book without a spine is named by its copy.
        guard item.photoId != nil else { throw CommandError("No photo shows this book.") }
        return item.id
    }
}
