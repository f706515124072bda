import ArgumentParser
import Bounds
import Catalog
import Downloads
import Foundation
import ShelflistAPI
import Terminal

/// Runs a download with its progress on standard error.
struct DownloadRun {
    let download: CatalogDownload
    let options: CatalogOptions

    /// Describes the download, and returns whether to start it.
    ///
    /// - Throws: `CommandError` if it does not fit on the disk, or the question cannot be asked.
    private static func isWanted(_ estimate: DownloadEstimate, asking: Bool) throws -> Bool {
        let name = "Open Library" + (estimate.dumps.map { ", dumps of \($0)" } ?? "")
        if estimate.current {
            StandardStream.errors.write("\(TerminalText.safe(name)): the catalog is up to date.\n")
            return false
        }
        let size = estimate.bytes.map { "\(bytes($0)) to download" } ?? "the server does not say how much to download"
        let disk = estimate.diskBytes.map { "\(estimate.atMost ? "at most" : "about") \(bytes($0)) of disk, " } ?? ""
        StandardStream.errors.write(
            TerminalText.safe("\(name): \(size), \(disk)\(bytes(estimate.freeBytes)) free.")
                + (estimate.resumed ? " Resumes an earlier download." : "") + "\n")
        if !estimate.fits, !estimate.atMost {
            throw CommandError(
                "The catalog does not fit on the disk. Free some space, choose another disk with --catalog, or keep fewer "
                    + "editions with --languages or --with isbn.")
        }
        guard asking else { return true }
        guard isatty(STDIN_FILENO) == 1, StandardStream.errors.isTerminal else {
            throw CommandError("The download has to be confirmed on a terminal. Add --yes to start it without.")
        }
        return StandardStream.confirms("Download?")
    }

    /// - Parameter asking: whether the download has to be confirmed.
    func run(_ filter: EditionFilter, asking: Bool) async throws {
        let plan = try await download.plan(filter)
        guard try Self.isWanted(plan.estimate, asking: asking) else { return }
        let monitor = DownloadMonitor()
        let interruption = Interruption { _ in monitor.stop() }
        defer { withExtendedLifetime(interruption) {} }
        let line = Task { await Self.showProgress(of: monitor) }
        let result: Result<ImportReport, any Error>
        do {
            result = .success(try await download.run(plan, monitor))
        } catch {
            result = .failure(error)
        }
        line.cancel()
        await line.value
        let report = try result.get()
        for file in report.files {
            if file.skipped > 0 {
                StandardStream.warn("\(file.path): \(file.skipped) malformed lines left out")
            }
            if let failure = file.failure { StandardStream.warn(failure) }
        }
        options.show(report) { lines(report) }
        if report.wasStopped {
            StandardStream.warn("Stopped. Run the same command to resume.")
            throw ExitCode(130)
        }
        if report.hasFailures { throw ExitCode.failure }
    }

    private func lines(_ report: ImportReport) -> [String] {
        guard !report.wasStopped, !report.hasFailures else { return [] }
        return [
            "\(TerminalText.safe(download.path)) has \(report.newEditions) new editions after "
                + "\(String(format: "%.0f", report.seconds)) s.",
            "Open Library's data is in the public domain (CC0).",
        ]
    }

    /// A size in decimal units, as disks and servers count.
    private static func bytes(_ count: Int) -> String {
        let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
        guard let (unit, name) = units.first(where: { Double(count) >= $0.0 }) else { return "\(count) bytes" }
        return String(format: "%.1f \(name)", Double(count) / unit)
    }

    /// Shows the progress until the task is cancelled: redrawn in place on a terminal, a line now and then in a log.
    private static func showProgress(of monitor: DownloadMonitor) async {
        let isInteractive = StandardStream.errors.isInteractive
        var interruption: String?
        do {
            while true {
                try await Task.sleep(for: isInteractive ? .milliseconds(200) : .seconds(10))
                let progress = monitor.progress
                ProgressBar(fraction: progress.fraction, label: label(progress), note: note(progress)).draw()
                if let new = progress.interruption, new != interruption {
                    ProgressBar.clear()
                    StandardStream.warn("\(new) Retrying.")
                }
                interruption = progress.interruption
            }
        } catch {
            ProgressBar.clear()
        }
    }

    private static func label(_ progress: DownloadMonitor.Progress) -> String {
        switch progress.stage {
        case .preparing: "Preparing"
        case .downloading: "Downloading \(TerminalText.safe(progress.file))"
        case .indexing: "Indexing"
        }
    }

    private static func note(_ progress: DownloadMonitor.Progress) -> String {
        guard progress.stage == .downloading else { return "\(Int(saturating: progress.fraction * 100)) %" }
        var parts: [String] = []
        if let total = progress.totalBytes {
            parts.append("\(Int(saturating: progress.fraction * 100)) %")
            parts.append("\(bytes(progress.bytes)) of \(bytes(total))")
        } else {
            parts.append(bytes(progress.bytes))
        }
        if let rate = progress.bytesPerSecond { parts.append("\(bytes(Int(saturating: rate)))/s") }
        if let seconds = progress.secondsLeft {
            parts.append(
                seconds < 90 ? "\(Int(saturating: seconds)) s left" : "\(Int(saturating: seconds / 60)) min left")
        }
        parts.append("\(progress.editions) editions")
        return parts.joined(separator: ", ")
    }
}
