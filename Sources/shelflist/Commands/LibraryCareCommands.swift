import ArgumentParser
import Foundation
import Library
import Terminal

struct LibraryCleanUpCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "clean-up",
        abstract: "Delete photos whose books are all reviewed, and files without references.",
        discussion: """
            A smaller picture stays of each photo that is deleted, unless 'keep-pictures' is off. Reviewed photos are kept \
            while 'keep-photos' is on. Both: shelflist library settings
            """)

    @OptionGroup var options: LocalLibraryOptions

    func run(_ store: LibraryStore) async throws {
        let report = try await store.cleanUpPhotos()
        options.show(report) {
            guard !report.deleted.isEmpty else { return ["Nothing to delete."] }
            return report.deleted.map { photo in
                "\(photo.file)  "
                    + Self.words(photo.reason)
            }
        }
        for (file, reason) in report.failed.sorted(by: { $0.key < $1.key }) {
            StandardStream.warn("\(file): \(reason). The next clean-up tries again.")
        }
        if !report.failed.isEmpty { throw ExitCode.failure }
    }

    private static func words(_ reason: DeletedPhoto.Reason) -> String {
        switch reason {
        case .reviewed: "all its books are reviewed"
        case .orphaned: "not referenced"
        case .notKept: "shelf pictures are not kept"
        }
    }
}

struct LibrarySettingsCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(commandName: "settings", abstract: "Show or change the settings.")

    enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

    @Option(help: "Books below this confidence need review, 0.40 to 0.90.") var threshold: Double?
    @Option(name: .customLong("keep-photos"), help: "Whether photos are kept after review, to locate books.")
    var keepPhotos: Switch?
    @Option(
        name: .customLong("keep-pictures"),
        help: "Whether a picture of 2,048 pixels, about 0.3 MB, stays when a photo is deleted.")
    var keepPictures: Switch?
    @OptionGroup var options: LocalLibraryOptions

    private struct Settings: Encodable {
        var threshold: Double
        var keepPhotos: Bool
        var keepPictures: Bool
    }

    func run(_ store: LibraryStore) async throws {
        try await store.set(
            reviewThreshold: threshold, keepsShelfPhotos: keepPhotos.map { $0 == .on },
            keepsShelfPictures: keepPictures.map { $0 == .on })
        let settings = Settings(
            threshold: try await store.reviewThreshold(), keepPhotos: try await store.keepsShelfPhotos(),
            keepPictures: try await store.keepsShelfPictures())
        options.show(settings) {
            [
                "threshold      \(String(format: "%.2f", settings.threshold))",
                "keep-photos    \(settings.keepPhotos ? "on" : "off")",
                "keep-pictures  \(settings.keepPictures ? "on" : "off")",
            ]
        }
    }
}

struct LibraryCheckCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the library's database for inconsistencies.")

    @OptionGroup var options: LocalLibraryOptions

    func run(_ store: LibraryStore) async throws {
        let problems = try await store.problems()
        options.show(["problems": problems]) { problems.isEmpty ? ["The library is sound."] : problems }
        if !problems.isEmpty { throw ExitCode.failure }
    }
}
