import Bounds
import Foundation
import Library
import Reading
import ShelflistAPI
import Synchronization
import Terminal

/// Collects and prints the output of a run: results in the order of the arguments, failures, progress.
///
/// All output, to streams and to disk, happens inside one lock, so Ctrl-C comes either before or after a photo's
/// result with its annotated picture, never in between.
final class RunReport: Sendable {
    private let state: Mutex<State>

    /// - Parameters:
    ///   - writer: nil for photos whose results were printed before.
    ///   - failures: the photos that failed before and are not read again.
    init(photos: [PhotoFile], writer: (any ScanWriter)?, failures: Set<Int> = []) {
        let progress = RunProgress(names: photos.map { TerminalText.safe($0.path) })
        state = Mutex(State(photos: photos, writer: writer, progress: progress, failures: failures))
    }

    /// The photos that failed, by index.
    var failures: Set<Int> { state.withLock { $0.failures } }

    /// The finished photos, by index.
    var results: [Int: ScannedPhoto] { state.withLock { $0.results } }

    func started(_ index: Int) { state.withLock { $0.progress.started(index) } }

    func reached(_ stage: ScanStage, index: Int) { state.withLock { $0.progress.reached(stage, index: index) } }

    func lookedUp(_ count: Int, of total: Int, index: Int) {
        state.withLock { $0.progress.lookedUp(count, of: total, index: index) }
    }

    /// Shows the progress of a server.
    ///
    /// - Parameter fraction: of all photos, 0...1.
    func reached(_ fraction: Double, label: String, note: String) {
        state.withLock { $0.progress.reached(fraction, label: label, note: note) }
    }

    func finished(_ index: Int, _ photo: ScannedPhoto, picture: AnnotatedPicture?) {
        state.withLock { state in
            do {
                try picture?.write()
            } catch {
                state.fail(index, error)
            }
            state.results[index] = photo
            state.progress.finished(index, note: photo.books.count == 1 ? "1 book" : "\(photo.books.count) books")
            state.showResults()
        }
    }

    /// Warns of a provider that cannot be asked, once.
    func unavailable(_ source: UnavailableSource) {
        state.withLock { state in
            guard state.unavailable.insert(source.source).inserted else { return }
            state.progress.hide()
            StandardStream.warn(source.message)
        }
    }

    /// Adds a photo's import result; the total is printed at the end.
    func imported(_ imported: ScanImportReport) {
        state.withLock { $0.library = ScanImportReport(books: ($0.library?.books ?? []) + imported.books) }
    }

    func failed(_ index: Int, _ error: any Error) {
        state.withLock { state in
            state.fail(index, error)
            state.progress.finished(index, note: nil)
            state.showResults()
        }
    }

    func close() { state.withLock { $0.close() } }

    /// Prints the finished results and ends the process.
    ///
    /// Photos in progress write nothing afterwards, because the lock is never released.
    func interrupt(by signal: Int32) -> Never {
        state.withLock { state -> Never in
            let finished = state.results.count
            state.close()
            StandardStream.warn("Stopped. \(finished) of \(state.photos.count) photos had been read.")
            // Not exit(): its clean-up would run while the models are still in use on other threads.
            _exit(128 + signal)
        }
    }

    private struct State: ~Copyable {
        let photos: [PhotoFile]
        var writer: (any ScanWriter)?
        var progress: RunProgress
        /// Finished photos by index; those below `shown` have been printed.
        var results: [Int: ScannedPhoto] = [:]
        var failures: Set<Int>
        var shown = 0
        /// The names of the providers that were warned of.
        var unavailable: Set<String> = []
        /// The combined import result, if photos are imported.
        var library: ScanImportReport?

        mutating func fail(_ index: Int, _ error: any Error) {
            failures.insert(index)
            progress.hide()
            StandardStream.errors.write(Failure.line(for: photos[index].path, error))
        }

        /// Prints each result whose predecessors are printed.
        mutating func showResults() {
            var text = ""
            while shown < photos.count, results[shown] != nil || failures.contains(shown) {
                if let photo = results[shown] { text += writer?.text(for: photo) ?? "" }
                shown += 1
            }
            show(text)
            progress.draw()
        }

        mutating func close() {
            progress.hide()
            var text = ""
            for index in Range(from: shown, upTo: photos.count) {
                if let photo = results[index] { text += writer?.text(for: photo) ?? "" }
            }
            shown = photos.count
            show(text + (writer?.closing() ?? ""))
            if let library {
                let lines = ScanImportSummary.lines(library)
                StandardStream.errors.write("Library: " + lines.joined(separator: "\n") + "\n")
            }
        }

        private mutating func show(_ text: String) {
            guard !text.isEmpty else { return }
            progress.hide()
            StandardStream.output.write(text)
        }
    }
}
