import Catalog
import Foundation
import Imaging
import Library
import Providers
import Reading
import SpineReading

extension Checkup {
    /// Runs all checks; takes about as long as loading the models.
    ///
    /// - Parameters:
    ///   - online: whether to send a request to each provider that is on.
    ///   - reader: the model that is sent a test picture; nil for none.
    static func run(online: Bool, reader: ModelProvider?) async -> Checkup {
        var checks: [Finding] = []
        do {
            let installation = try Installation.locate()
            checks.append(models(of: installation))
            if checks[0].status == .ok {
                checks.append(inference(with: installation))
                checks.append(precision(of: installation))
            }
            checks.append(letters(of: installation))
            checks.append(labelFont(of: installation))
        } catch {
            checks.append(Finding("models", .broken, "cannot be used", remedy: "\(error)"))
        }
        checks += SamplePicture.all.map(decoding)
        checks.append(confinement())
        let folder = DataFolder.current
        checks.append(catalog(in: folder))
        checks += await services(in: folder, online: online, asking: reader)
        checks.append(space(in: folder))
        if let library = library(in: folder) { checks.append(library) }
        return Checkup(version: Program.description, checks: checks)
    }

    private static func models(of installation: Installation) -> Finding {
        let missing = installation.modelFiles.filter { !FileManager.default.isReadableFile(atPath: $0.path) }
        guard missing.isEmpty else {
            return Finding(
                "models", .broken, "missing or not readable: \(missing.map(\.path).joined(separator: ", "))",
                remedy: "run 'make setup' in the checkout, then 'make install' again for an installed Shelflist.")
        }
        let names = installation.modelFiles.map(\.lastPathComponent).joined(separator: ", ")
        return Finding("models", .ok, "\(names) in \(installation.models.path)")
    }

    /// Loads the models, the only reliable test that OpenVINO and the models work.
    private static func inference(with installation: Installation) -> Finding {
        let start = ContinuousClock.now
        do {
            _ = try PhotoScanner(installation: installation, options: ReadingOptions(), concurrentPhotos: 1)
        } catch {
            return Finding(
                "OpenVINO", .broken, "the models do not load: \(error)",
                remedy: "delete .deps in the checkout and run 'make setup'; then 'make install' again for an installed "
                    + "Shelflist.")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Finding("OpenVINO", .ok, "loads the models in \(String(format: "%.1f", seconds)) s")
    }

    /// Says in which precision photos are read, and why.
    private static func precision(of installation: Installation) -> Finding {
        do {
            let precision = try installation.readingPrecision()
            let reason =
                switch (installation.namedPrecision, precision) {
                case (.some, _): "set by SHELFLIST_PRECISION"
                case (nil, .int8): "faster on this processor, which has no bfloat16"
                case (nil, _): "this processor is not faster with 8 bit"
                }
            return Finding("precision", .ok, "\(precision.rawValue): \(reason)")
        } catch {
            return Finding(
                "precision", .broken, "\(error)", remedy: "set SHELFLIST_PRECISION to native, int8 or single.")
        }
    }

    /// Names the letters that are read, and how to read others; most shelves need none of these.
    private static func letters(of installation: Installation) -> Finding {
        let scripts = installation.scripts
        let read = (["Latin", "Chinese", "Japanese"] + scripts.scripts.map(\.name)).formatted(.list(type: .and))
        let missing = LetterScript.allCases.filter { scripts.files[$0] == nil }
        guard !missing.isEmpty else { return Finding("letters", .ok, read) }
        let packages = missing.map { "\($0.name) (\($0.package))" }.joined(separator: ", ")
        let library = scripts.version == nil ? "libtesseract5 and the data of " : ""
        return Finding(
            "letters", .ok, "\(read). To read others, install \(library)\(packages), and restart the server.")
    }

    private static func labelFont(of installation: Installation) -> Finding {
        do {
            _ = try PhotoAnnotator(labelFont: installation.labelFont)
        } catch {
            return Finding(
                "label font", .broken, "\(error)",
                remedy: "run 'make setup' in the checkout (Debian: the package fonts-inter), then 'make install' again "
                    + "for an installed Shelflist. Only --annotate needs it.")
        }
        return Finding("label font", .ok, installation.labelFont.path)
    }

    /// Decodes a built-in picture, so that a failure is always the library's.
    private static func decoding(_ sample: SamplePicture) -> Finding {
        let name = sample.format.name
        do {
            guard let bytes = Data(base64Encoded: sample.base64) else {
                return Finding(name, .broken, "the built-in picture is damaged", remedy: "build Shelflist again.")
            }
            let photo = try PhotoDecoder.decode(Array(bytes))
            guard photo.originalSize == SamplePicture.size, sample.isRight(photo.image) else {
                return Finding(name, .broken, "decodes to a wrong picture", remedy: sample.remedy)
            }
            return Finding(name, .ok, "decodes")
        } catch {
            return Finding(name, .broken, "does not decode: \(error)", remedy: sample.remedy)
        }
    }

    /// Says what the process in which a server decodes photos could do.
    private static func confinement() -> Finding {
        let name = "confinement"
        do {
            let gaps = try DecoderProcesses.check()
            guard gaps.isEmpty else {
                return Finding(
                    name, .warning,
                    "the server's process that decodes photos is not fully confined: \(gaps.joined(separator: "; "))",
                    remedy: "allow seccomp in the container or service, and mount /proc; docs/operations.md has more.")
            }
            return Finding(name, .ok, "the server decodes photos in a process without files, network and privileges")
        } catch {
            return Finding(
                name, .broken, "the server's process that decodes photos does not start: \(error)",
                remedy: "allow this user to start processes, and mount /proc.")
        }
    }

    /// A missing catalog is only a warning: books are then named by the text on their spines.
    private static func catalog(in folder: String) -> Finding {
        let path = folder + "/catalog.sqlite"
        guard FileManager.default.fileExists(atPath: path) else {
            return Finding(
                "catalog", .warning, "there is none at \(path), so only the text on spines is used",
                remedy: "shelflist catalog import FILE... or: shelflist catalog get openlibrary")
        }
        do {
            let catalog = try Catalog(existingAt: path)
            try catalog.checkReady()
            let info = try catalog.info()
            let detail = "\(info.works) works, \(info.editions) editions in \(path)"
            guard info.isIndexed else {
                return Finding(
                    "catalog", .warning, "\(detail), not all of them searchable",
                    remedy: "import the same files again, to finish what was stopped.")
            }
            return Finding("catalog", .ok, detail)
        } catch {
            return Finding(
                "catalog", .broken, "\(error)",
                remedy: "finish the import, or delete \(path) and import again; your library is stored elsewhere.")
        }
    }

    /// Whether this user, and the owner of the folder, whose service may use it, can write the library.
    ///
    /// - Returns: nil without a library.
    private static func library(in folder: String) -> Finding? {
        let folder = LibraryFolder(URL(filePath: folder))
        guard FileManager.default.fileExists(atPath: folder.database.path) else { return nil }
        let path = folder.url.path
        do {
            let owner = try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
            let files = [folder.database.path, "\(path)/photos", "\(path)/covers"].filter {
                FileManager.default.fileExists(atPath: $0)
            }
            let foreign = try files.first {
                try FileManager.default.attributesOfItem(atPath: $0)[.ownerAccountID] as? Int != owner
            }
            let closed = files.first { !FileManager.default.isWritableFile(atPath: $0) }
            if let file = closed ?? foreign {
                return Finding(
                    "library", .broken, "\(file) does not belong to the owner of \(path), or cannot be written to",
                    remedy: "as root, chown -R --reference='\(path)' '\(path)'")
            }
            return Finding("library", .ok, "readable and writable in \(path)")
        } catch {
            return Finding(
                "library", .broken, "\(path): \(error.localizedDescription)", remedy: "check the folder's permissions.")
        }
    }

    private static func space(in folder: String) -> Finding {
        do {
            let disk = try DataFolder.disk(below: folder)
            let free = String(format: "%.1f GB", Double(disk.freeBytes) / 1e9)
            let detail = "\(free) free in \(folder)\(disk.exists ? "" : " (created when needed)")"
            guard disk.isWritable else {
                return Finding(
                    "data folder", .broken, "\(folder) cannot be written to",
                    remedy: "change its permissions, or set SHELFLIST_DATA to a folder of yours.")
            }
            guard disk.freeBytes >= DataFolder.enoughBytes else {
                return Finding(
                    "data folder", .warning, detail,
                    remedy: "free some space, or set SHELFLIST_DATA to a folder on a larger disk.")
            }
            if disk.exists, let open = try DataFolder.permissions(ofOpen: folder) {
                return Finding(
                    "data folder", .warning, "\(detail); other users of this machine can open it (\(open))",
                    remedy: "chmod 700 '\(folder)'")
            }
            return Finding("data folder", .ok, detail)
        } catch {
            return Finding(
                "data folder", .broken, "\(folder): \(error.localizedDescription)",
                remedy: "set SHELFLIST_DATA to a folder of yours.")
        }
    }
}
