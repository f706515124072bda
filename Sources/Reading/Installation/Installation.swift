package import Foundation
import ShelflistAPI
package import SpineReading

/// Where the reading models and the font for labels lie on this machine.
package struct Installation: Sendable {
    /// Folder with the models of all precisions.
    package var models: URL
    /// The precision that `SHELFLIST_PRECISION` names, or `nil` to choose by the processor.
    package var namedPrecision: ReadingPrecision?
    /// The font that annotated photos are labelled with.
    package var labelFont: URL
    /// The list of well-known works, packed.
    package var starterList: URL
    /// The data of other scripts to read with; `nil` for those of this machine.
    private let givenScripts: ScriptData?
    /// The folder that `SHELFLIST_CACHE` names; `nil` for one in each data folder.
    package var namedCache: URL?

    /// The files below one folder, whether they are there or not.
    ///
    /// - Parameter scripts: `nil` for the data of this machine.
    package init(resources: URL, scripts: ScriptData? = nil) {
        givenScripts = scripts
        models = resources.appending(path: "models", directoryHint: .isDirectory)
        labelFont = resources.appending(path: "fonts/label.otf", directoryHint: .notDirectory)
        let installed = resources.appending(path: "starter.csv.gz", directoryHint: .notDirectory)
        let isCheckout = !FileManager.default.fileExists(atPath: installed.path)
        starterList =
            isCheckout
            ? resources.deletingLastPathComponent().appending(path: "Data/starter.csv.gz", directoryHint: .notDirectory)
            : installed
    }

    /// Finds the installation of the running program. The first that is there counts:
    /// 1. the folder that `SHELFLIST_RESOURCES` names,
    /// 2. `PREFIX/share/shelflist` for a program in `PREFIX/bin`,
    /// 3. `.deps` in the nearest folder above the program, which is where `make setup` puts it in a checkout.
    ///
    /// - Throws: `InstallationError` with what to do.
    package static func locate() throws -> Installation {
        try locate(from: executable(), environment: ProcessInfo.processInfo.environment)
    }

    package static func locate(from executable: URL, environment: [String: String]) throws -> Installation {
        var installation = try find(from: executable, environment: environment)
        if let word = environment["SHELFLIST_PRECISION"], !word.isEmpty {
            guard let precision = ReadingPrecision(rawValue: word) else {
                throw InstallationError.unknownPrecision(word)
            }
            installation.namedPrecision = precision
        }
        if let folder = environment["SHELFLIST_CACHE"], !folder.isEmpty {
            installation.namedCache = URL(filePath: folder, directoryHint: .isDirectory)
        }
        return installation
    }

    /// The folder of the compiled networks and of the starter list's index, which hold nothing of a user and can be
    /// shared by several data folders.
    package func cache(for data: URL) -> URL {
        namedCache ?? data.appending(path: "cache", directoryHint: .isDirectory)
    }

    /// The files of all models, in the order of their names.
    package var modelFiles: [URL] {
        Set(ReadingPrecision.allCases.flatMap(\.files)).sorted().map { models.appending(path: $0) }
    }

    /// The data of the scripts that the models lack.
    ///
    /// Loads Tesseract's library the first time, in 17 ms on one core of an AMD EPYC.
    package var scripts: ScriptData {
        givenScripts ?? ScriptData(environment: ProcessInfo.processInfo.environment)
    }

    /// The precision in which lines are recognised: the named one, else the faster one on this processor.
    ///
    /// - Throws: `InferenceError` if the runtime does not start.
    package func readingPrecision() throws -> ReadingPrecision {
        try namedPrecision ?? .fastest()
    }

    private static func find(from executable: URL, environment: [String: String]) throws -> Installation {
        if let named = environment["SHELFLIST_RESOURCES"], !named.isEmpty {
            let resources = URL(filePath: named, directoryHint: .isDirectory)
            guard holdsModels(resources) else { throw InstallationError.namedFolderHasNoModels(named) }
            return Installation(resources: resources)
        }
        let folder = executable.deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appending(path: "share/shelflist")
        let checkouts = sequence(first: folder) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
        let candidates = [installed] + checkouts.map { $0.appending(path: ".deps") }
        guard let resources = candidates.first(where: holdsModels) else {
            throw InstallationError.notFound(besides: executable.path)
        }
        return Installation(resources: resources)
    }

    private static func holdsModels(_ resources: URL) -> Bool {
        var isFolder: ObjCBool = false
        let models = Installation(resources: resources).models
        return FileManager.default.fileExists(atPath: models.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The program's real file, links followed: a link to it from elsewhere must not lose its resources.
    package static func executable() -> URL {
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        return URL(filePath: path).resolvingSymlinksInPath()
    }
}

/// Why the models were not found.
package enum InstallationError: ReportedError, Equatable {
    case notFound(besides: String)
    case namedFolderHasNoModels(String)
    case unknownPrecision(String)

    package var problemCode: String {
        switch self {
        case .notFound, .namedFolderHasNoModels: "models_missing"
        case .unknownPrecision: "unknown_precision"
        }
    }

    package var description: String {
        switch self {
        case .notFound(let executable):
            """
            The reading models were not found beside \(executable). In a checkout run 'make setup'; an installed \
            Shelflist keeps them in PREFIX/share/shelflist, made by 'make install'. Or set SHELFLIST_RESOURCES to \
            the folder that holds 'models' and 'fonts'.
            """
        case .namedFolderHasNoModels(let folder):
            """
            SHELFLIST_RESOURCES names \(folder), but there is no folder 'models' in it. Point it at the folder that \
            holds 'models' and 'fonts', or unset it.
            """
        case .unknownPrecision(let word):
            """
            SHELFLIST_PRECISION is '\(word)'. Set it to \
            \(ReadingPrecision.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")), \
            or unset it to choose by the processor.
            """
        }
    }
}
