import ArgumentParser
import Foundation
import Library

struct LibraryCleanUpCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "clean-up",
        abstract: "Delete photos whose books are all reviewed, and files without references.",
        discussion: "Reviewed photos are kept while 'keep-photos' is on: shelflist library settings --keep-photos on")

    @OptionGroup var options: LibraryOptions

    func run(_ store: LibraryStore) async throws {
        let report = try await store.cleanUpPhotos()
        options.show(report) {
            guard !report.deleted.isEmpty else { return ["Nothing to delete."] }
            return report.deleted.map { photo in
                "\(photo.file)  "
                    + (photo.reason == .reviewed ? "all its books are reviewed" : "not referenced")
            }
        }
        for (file, reason) in report.failed.sorted(by: { $0.key < $1.key }) {
            StandardStream.warn("\(file): \(reason). The next clean-up tries again.")
        }
        if !report.failed.isEmpty { throw ExitCode.failure }
    }
}

struct LibrarySettingsCommand: UsesLibrary {
    static let configuration = CommandConfiguration(commandName: "settings", abstract: "Show or change the settings.")

    enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

    @Option(help: "Books below this confidence need review, 0.40 to 0.90.") var threshold: Double?
    @Option(name: .customLong("keep-photos"), help: "Whether photos are kept after review, to locate books.")
    var keepPhotos: Switch?
    @OptionGroup var options: LibraryOptions

    private struct Settings: Encodable {
        var threshold: Double
        var keepPhotos: Bool
    }

    func run(_ store: LibraryStore) async throws {
        try await store.set(reviewThreshold: threshold, keepsShelfPhotos: keepPhotos.map { $0 == .on })
        let settings = Settings(
            threshold: try await store.reviewThreshold(), keepPhotos: try await store.keepsShelfPhotos())
        options.show(settings) {
            [
                "threshold    \(String(format: "%.2f", settings.threshold))",
                "keep-photos  \(settings.keepPhotos ? "on" : "off")",
            ]
        }
    }
}

struct LibraryCheckCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the library's database for inconsistencies.")

    @OptionGroup var options: LibraryOptions

    func run(_ store: LibraryStore) async throws {
        let problems = try await store.problems()
        options.show(["problems": problems]) { problems.isEmpty ? ["The library is sound."] : problems }
        if !problems.isEmpty { throw ExitCode.failure }
    }
}
