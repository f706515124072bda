package import Concurrency
package import Providers
package import Reading
package import Scans
package import ShelflistAPI

/// Asks the enabled providers about the spines of a photo that no record on this machine explains.
///
/// Their records join those on this machine, and the photo is identified again; so a second scan of the shelf asks
/// nothing. The photo itself never leaves the machine, only words that were read.
package struct OnlineIdentification: PhotoIdentifying {
    /// The maximum number of requests for one photo, of all providers together.
    package static let requestLimit = 20
    /// The maximum number of records for one query.
    private static let recordLimit = 20
    /// The number of requests to one provider at a time.
    ///
    /// No provider is sent more than three requests a second, so more would only wait for their turn.
    private static let concurrentRequests = 3

    private let providers: @Sendable () -> [any BookProvider]
    private let received: ReceivedRecords
    private let clock: any WallClock

    /// Asks the providers that are enabled when a photo's turn comes.
    ///
    /// - Parameter received: keeps the answers.
    package init(online: OnlineServices, received: ReceivedRecords) {
        self.init(providers: { online.providers }, received: received, clock: online.clock)
    }

    package init(
        providers: @escaping @Sendable () -> [any BookProvider], received: ReceivedRecords, clock: any WallClock
    ) {
        (self.providers, self.received, self.clock) = (providers, received, clock)
    }

    package func isOff(for mode: ReaderMode?) -> Bool { providers().isEmpty }

    /// Asks until every spine is sure, or there is nothing left to ask, or the requests for one photo are used up.
    ///
    /// The providers are asked concurrently; one that is slow or fails does not affect the others. A book is checked if
    /// a provider has answered the first query about it, now or in an earlier scan.
    ///
    /// - Parameter reader: identifies the photo with the records on this machine as they are now.
    /// - Throws: errors of the reader and of the received records, `CancellationError`.
    package func identify(
        _ question: PhotoQuestion, with reader: any ShelfReading,
        report: @escaping @Sendable (IdentificationReport) async -> Void
    ) async throws -> ScannedPhoto {
        let providers = providers()
        let questions = PhotoQuestions(
            question.photo, reader: reader, providers: providers, received: received, report: report)
        let clock = clock
        try await questions.begin(now: clock.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for provider in providers {
                group.addTask {
                    do {
                        while let requests = try await questions.next(for: provider, now: clock.now) {
                            _ = try await requests.map(maxConcurrent: Self.concurrentRequests) { queries in
                                let records = try await provider.search(queries, limit: Self.recordLimit)
                                try await questions.answer(queries, of: provider.name, with: records, now: clock.now)
                            }
                            // This provider's answers count now, however long the others take.
                            try await questions.update(now: clock.now)
                        }
                        await questions.end(provider.name)
                    } catch let failure as UnavailableSource {
                        try Task.checkCancellation()
                        // What it answered before counts.
                        try await questions.update(now: clock.now)
                        await questions.fail(provider.name)
                        await report(.unavailable(failure))
                    }
                }
            }
            try await group.waitForAll()
        }
        return try await questions.identifiedPhoto(now: clock.now)
    }
}
