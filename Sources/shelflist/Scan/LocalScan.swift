import Concurrency
import Foundation
import Library
import Reading
import Scans
import ShelflistAPI
import Synchronization
import Terminal

/// Reads the photos of one command, several at a time, and passes on each result as soon as it is available.
struct LocalScan: Sendable {
    typealias PhotoImport = @Sendable (_ bytes: [UInt8], ScannedPhoto) async throws -> ScanImportReport

    let photos: [PhotoFile]
    /// The number of photos read concurrently.
    let jobs: Int
    let reader: any ShelfReading
    var annotation: PhotoAnnotation?
    /// Nil where nothing is imported.
    var importPhoto: PhotoImport?
    /// Nil where no provider is asked.
    var online: (any PhotoIdentifying)?
    /// Books below this confidence are marked for review, 0...1.
    let threshold: Double
    /// Who reads the photos; nil for the setting.
    var mode: ReaderMode?
    var report: RunReport
    /// Photos that were read before, by index; they are only identified again.
    var known: [Int: ScannedPhoto] = [:]

    /// Reads the photos and prints the results; Ctrl-C prints those that are finished and ends the process.
    func untilInterrupted() async {
        let report = report
        let interruption = Interruption { report.interrupt(by: $0) }
        let failures = report.failures
        let left = photos.indices.filter { !failures.contains($0) }
        await withTaskExecutorPreference(BlockingExecutor.background) {
            await left.forEach(maxConcurrent: jobs) { await read($0) }
        }
        report.close()
        withExtendedLifetime(interruption) {}
    }

    /// Reads one photo; a failure does not affect the others.
    private func read(_ index: Int) async {
        let photo = photos[index]
        do {
            report.started(index)
            let bytes = try photo.read()
            var result = try await read(bytes, index)
            if let online {
                result = try await identified(
                    PhotoQuestion(result, mode: mode, threshold: threshold) { bytes }, online, index)
            }
            let picture = try annotation?.picture(of: bytes, result: result, photo: index)
            if let imported = try await importPhoto?(bytes, result) { report.imported(imported) }
            report.finished(index, result, picture: picture)
        } catch {
            report.failed(index, error)
        }
    }

    private func read(_ bytes: [UInt8], _ index: Int) async throws -> ScannedPhoto {
        let report = report
        if let photo = known[index] {
            report.reached(.identify, index: index)
            return photo
        }
        return try await reader.read(bytes, name: photos[index].path, preprocessing: nil) { progress in
            if case .stage(let stage) = progress { report.reached(stage, index: index) }
        }
    }

    private func identified(
        _ question: PhotoQuestion, _ online: any PhotoIdentifying, _ index: Int
    ) async throws -> ScannedPhoto {
        let report = report
        let most = Mutex(0)
        var photo = try await online.identify(question, with: reader) { news in
            switch news {
            case .unavailable(let source): report.unavailable(source)
            case .open(let spines):
                let total = most.withLock { most in
                    most = max(most, spines)
                    return most
                }
                if total > 0 { report.lookedUp(total - spines, of: total, index: index) }
            case .identified: break
            }
        }
        // Books may have been checked without a record that fits.
        photo.apply(threshold: threshold)
        return photo
    }
}
