import Bibliography
import Hummingbird
import Library
import Reading
import Scans
import ShelflistAPI

/// The results of a job with its photos as they were read, encoded as one object.
struct ScanResultsMessage: ResponseEncodable {
    var results: ScanResults
    var photos: [ScannedPhoto]

    /// - Parameter states: what became of the books, by book.
    init(_ results: JobResults, of job: ScanJob, states: [String: ScanBookOutcome], undoToken: String?) {
        photos = results.photos.map { $0.result }
        let books = results.books.sorted { $0.book.confidence > $1.book.confidence }.map { book in
            JobURLs(job.id).message(book, library: states[book.id] ?? ScanBookOutcome(.open))
        }
        self.results = ScanResults(
            jobId: job.id, status: job.status, books: books, summary: results.summary(of: job), undoToken: undoToken)
    }

    /// Adds to each book whether the library has it.
    ///
    /// - Parameter whole: whether with the copies and the series, which may be answered only to callers who may read the library:
    ///   a picture with any title in it is a question.
    mutating func addAnswers(from library: LibraryStore, whole: Bool) async throws {
        let answers = try await library.answers(about: results.books.map { $0.book.book })
        for (index, answer) in answers.enumerated() {
            results.books[index].own = whole ? answer : OwnAnswer(answer.verdict)
        }
    }

    private enum CodingKeys: String, CodingKey { case photos }

    func encode(to encoder: any Encoder) throws {
        try results.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(photos, forKey: .photos)
    }
}

extension JobURLs {
    func message(_ book: ScanBook, library: ScanBookOutcome) -> ScanResultBook {
        ScanResultBook(book: message(book).value, cropUrl: crop(of: book.id), library: library)
    }
}
