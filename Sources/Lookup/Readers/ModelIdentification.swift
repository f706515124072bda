package import Foundation
package import Imaging
import Library
import Providers
package import Reading
package import Scans
package import ShelflistAPI

/// Asks a model for a second opinion on a photo, between two rounds of asking the providers of records.
///
/// The providers come first, because what they settle need not be sent; then again, about the titles that the model
/// named. Whatever fails, the photo stays as this machine and the providers identified it.
package struct ModelIdentification: PhotoIdentifying {
    private let services: OnlineServices
    private let providers: OnlineIdentification?
    private let font: URL
    private let limits: PhotoLimits

    /// - Parameters:
    ///   - providers: nil if no provider identifies books.
    ///   - font: of the numbers on the pictures.
    ///   - limits: of the photos.
    package init(
        services: OnlineServices, providers: OnlineIdentification?, font: URL, limits: PhotoLimits = PhotoLimits()
    ) {
        (self.services, self.providers, self.font, self.limits) = (services, providers, font, limits)
    }

    package func isOff(for mode: ReaderMode?) -> Bool {
        guard case .local = services.modelAccess(for: mode) else { return false }
        return providers?.isOff(for: mode) ?? true
    }

    package func identify(
        _ question: PhotoQuestion, with reader: any ShelfReading,
        report: @escaping @Sendable (IdentificationReport) async -> Void
    ) async throws -> ScannedPhoto {
        let photo = try await askProviders(question, reader, report)
        var again = question
        switch services.modelAccess(for: question.mode) {
        case .local: return photo
        case .blocked(let provider, let problem):
            await report(
                .unavailable(UnavailableSource(source: provider.rawValue, message: problem.description)))
            return photo
        case .model(let client, let sendsPhoto):
            guard var reading = photo.reading else { return photo }
            do {
                let opinion =
                    try await sendsPhoto
                    ? SecondOpinion.onPhoto(photo, bytes: question.bytes(), limits: limits, from: client)
                    : SecondOpinion.onUnsureSpines(
                        of: photo, reading, bytes: question.bytes(), limits: limits, font: font, from: client)
                try Task.checkCancellation()
                guard let opinion else { return photo }
                reading.opinions = opinion.opinions
                reading.verifiedFrom = question.threshold ?? LibraryStore.thresholdRange.lowerBound
                again.photo = photo
                again.photo.reading = reading
                again.photo = try await reader.identify(again.photo)
                again.photo.model = opinion.use
                if let threshold = question.threshold { again.photo.apply(threshold: threshold) }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // A request that was cancelled counts as one that failed.
                try Task.checkCancellation()
                let outage =
                    error as? UnavailableSource
                    ?? UnavailableSource(
                        source: client.provider.rawValue,
                        message:
                            "\(client.provider.title) could not be asked about the photo (\(error)). Scan it again.")
                await report(.unavailable(outage))
                return photo
            }
        }
        await report(.identified(again.photo))
        return again.photo.reading?.opinions.isEmpty == false
            ? try await askProviders(again, reader, report) : again.photo
    }

    private func askProviders(
        _ question: PhotoQuestion, _ reader: any ShelfReading,
        _ report: @escaping @Sendable (IdentificationReport) async -> Void
    ) async throws -> ScannedPhoto {
        guard let providers, !providers.isOff(for: question.mode) else { return question.photo }
        var photo = try await providers.identify(question, with: reader, report: report)
        if let threshold = question.threshold { photo.apply(threshold: threshold) }
        return photo
    }
}
