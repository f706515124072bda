import Catalog
import Concurrency
import Foundation
import Hummingbird
import Library
import Lookup
import Providers
import ShelflistAPI

/// The routes for the settings of the library and the providers.
struct SettingsRoutes: Sendable {
    let library: LibraryStore
    let online: OnlineCatalogs
    let readers: ModelReaders
    let catalog: CatalogFile
    private let changes = SerialQueue()

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/settings", needs: .viewer) { _, _ in
            try await settings()
        }
        table.add(.patch, "api/v1/settings", needs: .owner, change)
    }

    private func settings() async throws -> SettingsMessage {
        var message = SettingsMessage(
            threshold: try await library.reviewThreshold(), reader: readers.mode,
            isReaderConfigured: readers.isConfigured,
            assistReader: readers.assistant.rawValue, readers: readers.reports(),
            keepShelfPhotos: try await library.keepsShelfPhotos(),
            keepShelfPictures: try await library.keepsShelfPictures(),
            shelfPictures: ShelfPicturesMessage(try await library.shelfPictureUse()),
            updateCatalog: try await library.updatesCatalog(),
            askBeforeAdding: try await library.asksBeforeAdding(),
            sourceChosen: online.isSourceChosen || catalog.exists, providers: await online.reports())
        // Only what the owner can edit again, because the providers' states change on their own.
        let edited =
            [
                "\(message.threshold)", "\(message.keepShelfPhotos)", "\(message.keepShelfPictures)",
                "\(message.updateCatalog)", "\(message.askBeforeAdding)", message.reader.rawValue,
                message.assistReader,
            ]
            + message.readers.map { "\($0.id) \($0.model) \($0.hasKey) \($0.agreed)" }
            + message.providers.map { "\($0.name.rawValue) \($0.isOn) \($0.hasKey)" }
        message.etag = EntityTag.of(bytes: Data(edited.joined(separator: " ").utf8))
        return message
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> SettingsMessage {
        let change: SettingsChangeMessage = try await request.json()
        let reader = try change.reader.map { name in
            guard let mode = ReaderMode(rawValue: name) else {
                throw Problem.invalidField(
                    "reader",
                    "'reader' must be \(ReaderMode.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")).")
            }
            return mode
        }
        if change.sourceChosen == false {
            throw Problem.invalidField("sourceChosen", "'sourceChosen' can only be set to true.")
        }
        _ = try change.threshold.map(LibraryStore.checkedThreshold)
        // The settings are in two files, so changes run one at a time: the tag must stay valid until both are written.
        return try await changes.run {
            try EntityTag.check(request, current: try await settings().etag)
            try apply(change, reader)
            try await library.set(
                reviewThreshold: change.threshold, keepsShelfPhotos: change.keepShelfPhotos,
                keepsShelfPictures: change.keepShelfPictures, updatesCatalog: change.updateCatalog,
                asksBeforeAdding: change.askBeforeAdding)
            return try await settings()
        }
    }

    private func apply(_ change: SettingsChangeMessage, _ reader: ReaderMode?) throws {
        let providers = (change.providers ?? []).map(OnlineCatalogs.Change.init)
        do {
            // Each has a file of its own, so both are checked before the first is written.
            try online.check(providers)
            try readers.change(
                (change.readers ?? []).map(ModelReaders.Change.init), mode: reader, assistant: change.assistReader)
            try online.change(providers, choosesSource: change.sourceChosen ?? false)
        } catch let error as ProviderChoiceError {
            throw Problem.invalidField("providers", error.description)
        } catch let error as ReaderProblem {
            throw Problem.invalidField("reader", error.description)
        } catch let error as OwnerFileError {
            throw Problem("unavailable", status: 503, title: "Not saved", detail: error.description, retryable: true)
        }
    }
}

private struct SettingsMessage: TaggedMessage {
    var threshold: Double
    /// Who reads photos unless a scan says otherwise.
    var reader: ReaderMode
    /// Whether the configuration determines the reader.
    var isReaderConfigured: Bool
    /// The provider that `assist` asks.
    var assistReader: String
    var readers: [ReaderReport]
    var keepShelfPhotos: Bool
    var keepShelfPictures: Bool
    var shelfPictures: ShelfPicturesMessage
    var updateCatalog: Bool
    /// Whether the books of a scan wait until the user adds them.
    var askBeforeAdding: Bool
    /// Whether there is a catalog, or the owner chose where books are checked; until then the app asks.
    var sourceChosen: Bool
    var providers: [ProviderReport]
    var etag = ""
}

/// What shelf pictures cost.
private struct ShelfPicturesMessage: Encodable {
    var pictures: Int
    var bytes: Int
    var usualBytes = ShelfPicture.usualBytes
    var longSide = ShelfPicture.longSide

    init(_ use: ShelfPictureUse) { (pictures, bytes) = (use.pictures, use.bytes) }
}

private struct ProviderChangeMessage: Decodable, Sendable {
    var id: String
    var enabled: Bool?
    var key: FieldPatch<String>
}

private struct ReaderChangeMessage: Decodable, Sendable {
    var id: String
    var key: FieldPatch<String>
    var model: String?
    var agreed: Bool?
}

extension OnlineCatalogs.KeyChange {
    fileprivate init(_ patch: FieldPatch<String>) {
        self =
            switch patch {
            case .keep: .keep
            case .clear: .remove
            case .set(let key): .set(key)
            }
    }
}

extension OnlineCatalogs.Change {
    fileprivate init(_ message: ProviderChangeMessage) {
        self.init(message.id, isOn: message.enabled, key: .init(message.key))
    }
}

extension ModelReaders.Change {
    fileprivate init(_ message: ReaderChangeMessage) {
        self.init(message.id, key: .init(message.key), model: message.model, agreed: message.agreed)
    }
}

private struct SettingsChangeMessage: Decodable, Sendable {
    var threshold: Double?
    var reader: String?
    var assistReader: String?
    var readers: [ReaderChangeMessage]?
    var keepShelfPhotos: Bool?
    var keepShelfPictures: Bool?
    var updateCatalog: Bool?
    var askBeforeAdding: Bool?
    var sourceChosen: Bool?
    var providers: [ProviderChangeMessage]?
}
