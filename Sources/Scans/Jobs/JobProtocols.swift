import Bibliography
package import Foundation
package import GRDB
package import Library
package import Reading
package import ShelflistAPI

/// Imports the photos of jobs into the library.
///
/// What changes the library is a part of a transaction on the job.
package protocol JobImporting: Sendable {
    /// Stores the picture of a photo before it is imported.
    ///
    /// - Parameter sha256: of the photo as it was received.
    func store(_ file: URL, sha256: String) async throws -> StoredPhoto

    /// Deletes a picture whose import failed.
    func discard(_ photo: StoredPhoto) async

    /// Books are added as the user edited them, and not where the user rejected them. Safe to repeat: the same photo of
    /// the same job adds nothing the second time.
    ///
    /// - Parameters:
    ///   - result: with the books that no earlier photo of the job showed.
    ///   - repeated: the spines of the other books.
    func importPhoto(
        _ number: Int, _ stored: StoredPhoto, _ result: ScannedPhoto, repeated: [RepeatedSpine], _ change: JobChange
    ) throws -> ScanImportReport

    /// Brings what was imported of a photo up to date with its books as they are now identified.
    ///
    /// Changes only what no person has touched. Safe to repeat. Does nothing for a photo that was not imported.
    ///
    /// - Parameters:
    ///   - result: with all of the photo's books.
    ///   - wanted: the books that are imported if they are new.
    func update(_ number: Int, to result: ScannedPhoto, importing wanted: Set<String>, _ change: JobChange) throws

    /// Adds what catalogs and providers found about a book to its imported copies; a person's edits remain.
    func enrich(_ book: ScanBook, of job: ScanJob) async throws

    /// Returns what became of a job's books in the library, by book; nothing for a book that was not added.
    func states(of books: [ScanBook], job: String, in db: Database) throws -> [String: ScanBookOutcome]

    /// Returns the jobs with photos that the library still has.
    func jobsWithPhotos() async throws -> Set<String>

    /// Returns the library's picture of a photo; nil if it has none.
    func photoFile(_ number: Int, of job: String) async throws -> URL?
}

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
