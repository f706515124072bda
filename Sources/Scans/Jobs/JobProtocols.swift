import Bibliography
package import Reading
package import ShelflistAPI

/// Identifies the books of a photo with sources that take seconds to answer.
package protocol PhotoIdentifying: Sendable {
    /// Whether there is no source to ask about a photo.
    ///
    /// - Parameter mode: who reads the photo; nil for the setting.
    func isOff(for mode: ReaderMode?) -> Bool
    /// Asks until every book is sure or nothing is left to ask.
    ///
    /// A source that fails is reported and does not affect the others.
    ///
    /// - Parameter reader: identifies the photo again once sources have answered.
    /// - Returns: the photo as identified last.
    /// - Throws: `CancellationError`, errors of the reader and of storing answers.
    func identify(
        _ question: PhotoQuestion, with reader: any ShelfReading,
        report: @escaping @Sendable (IdentificationReport) async -> Void
    ) async throws -> ScannedPhoto
}

/// A photo about which sources are asked.
package struct PhotoQuestion: Sendable {
    /// With its text, as identified without these sources.
    package var photo: ScannedPhoto
    /// Who reads it; nil for the setting.
    package var mode: ReaderMode?
    /// Books below this confidence need review, 0...1; nil for the setting of the library.
    package var threshold: Double?
    /// Returns the photo's file.
    package var bytes: @Sendable () throws -> [UInt8]

    package init(
        _ photo: ScannedPhoto, mode: ReaderMode?, threshold: Double? = nil,
        bytes: @escaping @Sendable () throws -> [UInt8]
    ) {
        (self.photo, self.mode, self.threshold, self.bytes) = (photo, mode, threshold, bytes)
    }
}

/// What is reported while sources are asked about a photo.
package enum IdentificationReport: Sendable {
    /// The photo as identified with the answers so far.
    case identified(ScannedPhoto)
    /// The number of spines of the photo about which there is still something to ask.
    case open(Int)
    /// A source that is not asked any further about this photo.
    case unavailable(UnavailableSource)
}

/// Asks catalogs and providers for more about the books of a job.
package protocol BookEnriching: Sendable {
    /// Whether there is no source to ask, so that no book has to wait.
    var isOff: Bool { get }
    /// Looks all books up and reports each answer as it arrives. Returns when none is outstanding.
    func enrich(_ books: [ScanBook], report: @escaping @Sendable (EnrichmentReport) async -> Void) async
}

/// One answer of the catalogs and providers.
package enum EnrichmentReport: Sendable {
    case book(id: String, state: EnrichmentState, metadata: BookMetadata?)
    case degraded(UnavailableSource)
}
