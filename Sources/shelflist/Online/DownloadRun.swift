import ArgumentParser
import Catalog
import Foundation
import Lookup

/// Runs a planned download with its progress on standard error.
struct DownloadRun {
    let download: CatalogDownload
    let plan: CatalogDownload.Plan
    let catalog: String
    let options: CatalogOptions

    /// Describes the plan, and returns whether to start it.
    ///
    /// - Throws: `DownloadRefusal` if it does not fit on the disk, or the question cannot be asked.
    static func isWanted(_ plan: CatalogDownload.Plan, asking: Bool) throws -> Bool {
        let name = "Open Library" + (plan.dumps.date.map { ", dumps of \($0)" } ?? "")
        if plan.isCurrent {
            StandardStream.errors.write("\(TerminalText.safe(name)): the catalog is up to date.\n")
            return false
        }
        let size = plan.bytes.map { "\(bytes($0)) to download" } ?? "the server does not say how much to download"
        let isFiltered = !plan.dumps.filter.keepsEverything
        let disk = plan.neededBytes.map { "\(isFiltered ? "at most" : "about") \(bytes($0)) of disk, " } ?? ""
        StandardStream.errors.write(
            TerminalText.safe("\(name): \(size), \(disk)\(bytes(plan.freeBytes)) free.")
                + (plan.isResumed ? " Resumes an earlier download." : "") + "\n")
        if !plan.fits, !isFiltered {
            throw DownloadRefusal(
                "The catalog does not fit on the disk. Free some space, choose another disk with --catalog, or keep fewer "
                    + "editions with --languages or --with isbn.")
        }
        guard asking else { return true }
        guard isatty(STDIN_FILENO) == 1, StandardStream.errors.isTerminal else {
            throw DownloadRefusal("The download has to be confirmed on a terminal. Add --yes to start it without.")
        }
        StandardStream.errors.write("Download? [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    func callAsFunction() async throws {
        let monitor = DownloadMonitor()
        let interruption = Interruption { _ in monitor.stop() }
        defer { withExtendedLifetime(interruption) {} }
        let line = Task { await DownloadProgressLine().show(monitor) }
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
            "\(TerminalText.safe(catalog)) has \(report.newEditions) new editions after "
                + "\(String(format: "%.0f", report.seconds)) s.",
            "Open Library's data is in the public domain (CC0).",
        ]
    }

    /// A size in decimal units, as disks and servers count.
    static func bytes(_ count: Int) -> String {
        let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
        guard let (unit, name) = units.first(where: { Double(count) >= $0.0 }) else { return "\(count) bytes" }
        return String(format: "%.1f \(name)", Double(count) / unit)
    }
}

/// The progress of a download: redrawn in place on a terminal, a line now and then in a log.
struct DownloadProgressLine {
    private let isInteractive = StandardStream.errors.isInteractive

    /// Shows the progress until the task is cancelled.
    func show(_ monitor: DownloadMonitor) async {
        var interruption: String?
        do {
            while true {
                try await Task.sleep(for: isInteractive ? .milliseconds(200) : .seconds(10))
                let progress = monitor.progress
                if isInteractive {
                    ProgressBar(fraction: progress.fraction, label: label(progress), note: note(progress)).draw()
                } else {
                    StandardStream.errors.write("\(label(progress)): \(note(progress))\n")
                }
                if let new = progress.interruption, new != interruption {
                    if isInteractive { ProgressBar.clear() }
                    StandardStream.warn("\(new) Retrying.")
                }
                interruption = progress.interruption
            }
        } catch {
            if isInteractive { ProgressBar.clear() }
        }
    }

    private func label(_ progress: DownloadMonitor.Progress) -> String {
        switch progress.stage {
        case .preparing: "Preparing"
        case .downloading: "Downloading \(TerminalText.safe(progress.file))"
        case .indexing: "Indexing"
        }
    }

    private func note(_ progress: DownloadMonitor.Progress) -> String {
        guard progress.stage == .downloading else { return "\(Int(progress.fraction * 100)) %" }
        var parts: [String] = []
        if let total = progress.totalBytes {
            parts.append("\(Int(progress.fraction * 100)) %")
            parts.append("\(DownloadRun.bytes(progress.bytes)) of \(DownloadRun.bytes(total))")
        } else {
            parts.append(DownloadRun.bytes(progress.bytes))
        }
        if let rate = progress.bytesPerSecond { parts.append("\(DownloadRun.bytes(Int(rate)))/s") }
        if let seconds = progress.secondsLeft {
            parts.append(seconds < 90 ? "\(Int(seconds)) s left" : "\(Int(seconds / 60)) min left")
        }
        parts.append("\(progress.editions) editions")
        return parts.joined(separator: ", ")
    }
}
