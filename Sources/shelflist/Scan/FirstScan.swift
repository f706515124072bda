import ArgumentParser
import Library
import Reading
import ShelflistAPI
import Terminal

/// The first scan of a data directory without a source: its titles are read, but not checked.
extension ScanCommand {
    /// Returns the question where to check titles, if this command raises it; nil if a source is there, was chosen or
    /// ruled out.
    func openQuestion() async throws -> SourceQuestion? {
        guard catalog.isEmpty, !online, !offline, !check else { return nil }
        let question = SourceQuestion(data: folder.url, canAsk: format == .table && SourceQuestion.isPossible)
        return try await question.isOpen() ? question : nil
    }

    /// Asks where to check the titles, or prints how to; then does what was answered.
    ///
    /// Photos are imported after the answer, so that the library gets their books as they are then.
    /// - Returns: the report on the photos as they were identified last.
    func answer(
        _ question: SourceQuestion?, after run: LocalScan, _ sources: ScanSources, _ importPhoto: LocalScan.PhotoImport?
    ) async throws -> RunReport {
        guard let question else { return run.report }
        let unchecked = UncheckedTitles(run.report.results.values)
        guard question.canAsk else {
            if unchecked.count > 0 { StandardStream.warn(unchecked.hint) }
            return run.report
        }
        let answer = unchecked.count > 0 ? try await question.ask(about: unchecked) : nil
        var again = run
        again.known = run.report.results
        again.importPhoto = importPhoto
        if answer == .online {
            var sources = sources
            try await sources.open(.enabled, reader: mode, font: try Installation.locate().labelFont)
            again.online = sources.online
            again.report = RunReport(
                photos: run.photos, writer: isAudit ? nil : format.writer, failures: run.report.failures)
            StandardStream.output.write("\n")
            await again.untilInterrupted()
            await sources.close()
        } else if isImported {
            again.annotation = nil
            again.report = RunReport(photos: run.photos, writer: nil, failures: run.report.failures)
            await again.untilInterrupted()
        }
        if answer == .download { try await CatalogGetCommand.parse(["openlibrary"]).run() }
        return again.report
    }
}

extension UncheckedTitles {
    /// What a command that cannot ask prints.
    var hint: String { description + ". Use --online, or get a catalog: shelflist catalog get openlibrary" }
}
