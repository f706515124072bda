import Concurrency
import Foundation
import Library
import Lookup
import Scanning

/// Reads the photos of one command, several at a time, and passes on each result as soon as it is available.
struct ScanRun: Sendable {
    let photos: [PhotoFile]
    /// The number of photos read concurrently.
    let jobs: Int
    let scanner: PhotoScanner
    let annotation: PhotoAnnotation?
    /// Nil where nothing is imported.
    let importPhoto: (@Sendable (_ bytes: [UInt8], ScannedPhoto) async throws -> ScanImportReport)?
    /// Nil where no provider is asked.
    var online: OnlineIdentification?
    let report: RunReport

    func callAsFunction() async {
        await withTaskExecutorPreference(BlockingExecutor.background) {
            await photos.indices.forEach(maxConcurrent: jobs) { await read($0) }
        }
    }

    /// Reads one photo; a failure does not affect the others.
    private func read(_ index: Int) async {
        let photo = photos[index]
        do {
            report.started(index)
            let bytes = try photo.read()
            var result = try await scanner.read(bytes, name: photo.path, preprocessing: nil) { progress in
                if case .stage(let stage) = progress { report.reached(stage, index: index) }
            }
            if let online { result = try await identified(result, online, index) }
            let picture = try annotation?.picture(of: bytes, result: result, photo: index)
            if let imported = try await importPhoto?(bytes, result) { report.imported(imported) }
            report.finished(index, result, picture: picture)
        } catch {
            report.failed(index, error)
        }
    }

    private func identified(
        _ photo: ScannedPhoto, _ online: OnlineIdentification, _ index: Int
    ) async throws -> ScannedPhoto {
        let (scanner, report) = (scanner, report)
        _ = try await online.identify(photo.books) {
            try await scanner.identify(photo).books
        } report: {
            if case .unavailable(let source) = $0 { report.unavailable(source) }
        }
        return try await scanner.identify(photo)
    }
}
