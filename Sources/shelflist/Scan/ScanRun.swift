import Concurrency
import Foundation
import Scanning

/// Reads the photos of one command, several at a time, and passes on each result as soon as it is available.
struct ScanRun: Sendable {
    let photos: [PhotoFile]
    /// The number of photos read concurrently.
    let jobs: Int
    let scanner: PhotoScanner
    let annotation: PhotoAnnotation?
    let importer: PhotoImporter?
    let report: RunReport
    /// Reading files and drawing pictures blocks its thread.

    init(
        photos: [PhotoFile], jobs: Int, scanner: PhotoScanner, annotation: PhotoAnnotation?, importer: PhotoImporter?,
        report: RunReport
    ) {
        self.photos = photos
        self.jobs = jobs
        self.scanner = scanner
        self.annotation = annotation
        self.importer = importer
        self.report = report
    }

    func callAsFunction() async {
        await withTaskGroup(of: Void.self) { group in
            var waiting = photos.indices.makeIterator()
            func startNext() {
                if let index = waiting.next() {
                    group.addTask(executorPreference: BlockingExecutor.background) { await read(index) }
                }
            }
            for _ in 0..<jobs { startNext() }
            while await group.next() != nil { startNext() }
        }
    }

    /// Reads one photo; a failure does not affect the others.
    private func read(_ index: Int) async {
        let photo = photos[index]
        do {
            report.started(index)
            let bytes = try photo.read()
            let result = try await scanner.scan(bytes, path: photo.path) { report.reached($0, index: index) }
            let picture = try annotation?.picture(of: bytes, result: result, photo: index)
            if let imported = try await importer?.take(bytes, result) { report.imported(imported) }
            report.finished(index, result, picture: picture)
        } catch {
            report.failed(index, error)
        }
    }
}
