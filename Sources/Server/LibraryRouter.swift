package import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Imaging
package import Library
import Logging
package import Lookup
import NIOCore
import Concurrency
package import ShelflistAPI

/// The routes of a library for a program that uses its folder itself: no connections, accounts or limits.
package struct LibraryRouter: Sendable {
    package struct Answer: Sendable {
        package var status: Int
        /// By lower-case name.
        package var headers: [String: String]
        /// Read from the library as it is consumed.
        package var body: any AsyncSequence<Data, any Error> & Sendable
    }

    /// What happens beside a request, and how errors are worded.
    package struct Reports: Sendable {
        /// Receives a sentence for each cover and look-up that fails.
        package var onFailure: @Sendable (String) -> Void
        /// Receives the number of books that were looked up and the total.
        package var onProgress: @Sendable (Int, Int) -> Void
        /// Returns the sentences for an error that has no problem document.
        package var describe: @Sendable (any Error) -> String

        package init(
            onFailure: @escaping @Sendable (String) -> Void, onProgress: @escaping @Sendable (Int, Int) -> Void,
            describe: @escaping @Sendable (any Error) -> String
        ) {
            (self.onFailure, self.onProgress, self.describe) = (onFailure, onProgress, describe)
        }
    }

    private let responder: any HTTPResponder<AppContext>
    private let covers: CoverQueue
    private let enrichments: EnrichmentQueue
    private let reports: Reports

    /// The owner of the folder.
    private static let caller = Caller(kind: .local, name: "this machine", role: .owner, client: "local")
    private static let logger = Logger(label: "library") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameters:
    ///   - lookup: asks the sources of records.
    ///   - reread: reads the picture of one spine.
    package init(
        library: LibraryStore, lookup: BookLookup, online: OnlineServices, reports: Reports,
        reread: @escaping @Sendable (RGBImage) async throws -> DetectedBook
    ) {
        let covers = CoverQueue(online: online, library: library, onFailure: reports.onFailure)
        let enrichments = EnrichmentQueue(
            LibraryEnrichment(lookup: lookup, library: library, covers: covers), onFailure: reports.onFailure,
            onProgress: reports.onProgress)
        let matching = Matching(library: library, online: online, covers: covers)
        var table = RouteTable()
        LibraryRoutes(library: library, online: online, covers: covers).add(to: &table)
        WorkRoutes(library: library, matching: matching).add(to: &table)
        ReviewRoutes(
            library: library, reread: reread, matching: matching, enrichments: enrichments,
            views: ReviewViews(clock: SteadyClock())
        ).add(to: &table)
        ShelfRoutes(library: library, scans: nil).add(to: &table)
        StocktakeRoutes(library: library).add(to: &table)
        FeedbackRoutes(library: library, scans: nil, pictures: nil).add(to: &table)
        StatisticsRoutes(library: library).add(to: &table)
        ExportRoutes(library: library).add(to: &table)
        SeriesRoutes(library: library).add(to: &table)
        SearchRoutes(lookup: lookup, library: library).add(to: &table)
        OwnRoutes(lookup: lookup, library: library).add(to: &table)
        let router = Router(context: AppContext.self)
        table.addUnguarded(to: router)
        responder = router.buildResponder()
        (self.covers, self.enrichments, self.reports) = (covers, enrichments, reports)
    }

    /// Answers a request.
    ///
    /// - Parameter target: path and query.
    /// - Throws: `Problem`, also while the body is read.
    package func answer(
        _ method: String, _ target: String, headers: [String: String], body: Data
    ) async throws -> Answer {
        do {
            guard let method = HTTPRequest.Method(method) else { throw Problem.noSuchRoute }
            var fields = HTTPFields()
            for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
            let request = Request(
                head: HTTPRequest(
                    method: method, scheme: "http", authority: "localhost", path: target, headerFields: fields),
                body: RequestBody(buffer: ByteBuffer(bytes: body)))
            let response = try await responder.respond(
                to: request, context: AppContext(of: Self.caller, logger: Self.logger))
            let sent = response.headers.map { ($0.name.canonicalName, $0.value) }
            return Answer(
                status: response.status.code, headers: Dictionary(sent) { first, _ in first },
                body: BodyPieces(response.body) { problem($0) })
        } catch {
            throw problem(error)
        }
    }

    /// Waits for the covers and look-ups that requests have started.
    package func finish() async {
        await enrichments.finish()
        await covers.finish()
    }

    /// Returns the problem with the details of the library's errors, which a server only logs.
    private func problem(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        var problem = Problem(error) ?? .internalError(id: "")
        if !(error is Problem) { problem.detail = reports.describe(error) }
        return problem
    }
}
