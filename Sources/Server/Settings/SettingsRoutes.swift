import Catalog
import Concurrency
import Foundation
import Hummingbird
import Library
import Lookup
import Providers
import ShelflistAPI

/// The routes for the settings of the library, of providers and of models.
struct SettingsRoutes: Sendable {
    let library: LibraryStore
    let online: OnlineServices
    let catalog: CatalogFile
    let audit: AccessRecord
    private let changes = SerialQueue()

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/settings", needs: .viewer) { _, _ in
            try await settings()
        }
        table.add(.patch, "api/v1/settings", needs: .owner, change)
    }

    private func settings() async throws -> SettingsMessage {
        let services = online.choice
        var message = SettingsMessage(
            threshold: try await library.reviewThreshold(), reader: services.reader,
            isReaderConfigured: services.isReaderConfigured, assistReader: services.assistant.rawValue,
            readers: services.modelReports, keepShelfPhotos: try await library.keepsShelfPhotos(),
            keepShelfPictures: try await library.keepsShelfPictures(),
            shelfPictures: ShelfPicturesMessage(try await library.shelfPictureUse()),
            updateCatalog: try await library.updatesCatalog(),
            askBeforeAdding: try await library.asksBeforeAdding(),
            sourceChosen: services.isSourceChosen || catalog.exists, providers: await online.providerReports())
        // Only what the owner can edit again, because the providers' states change on their own.
        let edited =
            [
                "\(message.threshold)", "\(message.keepShelfPhotos)", "\(message.keepShelfPictures)",
                "\(message.updateCatalog)", "\(message.askBeforeAdding)", message.reader.rawValue,
                message.assistReader,
            ] + (message.readers + message.providers).map { "\($0.id) \($0.model ?? "") \($0.hasKey) \($0.isOn)" }
        message.etag = EntityTag.of(bytes: Data(edited.joined(separator: " ").utf8))
        return message
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> SettingsMessage {
        let change: SettingsChangeMessage = try await request.json()
        let services = try change.services
        let guarded = change.guardedFields
        if !guarded.isEmpty { try Requirement.owner.confirmed.check(context.caller) }
        // One change at a time: the tag must stay valid until the change is written.
        return try await changes.run { [caller = context.caller] in
            try EntityTag.check(request, current: try await settings().etag)
            do {
                try await library.set(
                    reviewThreshold: change.threshold, keepsShelfPhotos: change.keepShelfPhotos,
                    keepsShelfPictures: change.keepShelfPictures, updatesCatalog: change.updateCatalog,
                    asksBeforeAdding: change.askBeforeAdding, alongside: { try online.change(services) })
            } catch let problem as ServiceProblem {
                throw Problem.invalidField(
                    problem.kind == .provider ? "providers" : "reader", problem.description)
            }
            if !guarded.isEmpty {
                audit.record(.settingsChanged, by: caller, subject: guarded.joined(separator: ", "))
            }
            return try await settings()
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
    var readers: [ServiceReport]
    var keepShelfPhotos: Bool
    var keepShelfPictures: Bool
    var shelfPictures: ShelfPicturesMessage
    var updateCatalog: Bool
    /// Whether the books of a scan wait until the user adds them.
    var askBeforeAdding: Bool
    /// Whether there is a catalog, or the owner chose where books are checked; until then the app asks.
    var sourceChosen: Bool
    var providers: [ServiceReport]
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

private struct SettingsChangeMessage: Decodable, Sendable {
    var threshold: Double?
    var reader: String?
    var assistReader: String?
    var readers: [ServiceChange]?
    var keepShelfPhotos: Bool?
    var keepShelfPictures: Bool?
    var updateCatalog: Bool?
    var askBeforeAdding: Bool?
    var sourceChosen: Bool?
    var providers: [ServiceChange]?

    /// The names of the fields that say to whom photos and titles are sent and who pays for it, such as `openai.key`.
    ///
    /// Changing them needs a confirmed session, and is recorded in the access log.
    var guardedFields: [String] {
        var fields: [String] = []
        if reader != nil { fields.append("reader") }
        if assistReader != nil { fields.append("assistReader") }
        for service in (readers ?? []) + (providers ?? []) {
            let id = service.id.prefix(40)
            if service.key != .keep { fields.append("\(id).key") }
            if service.model != nil { fields.append("\(id).model") }
            if service.agreed != nil { fields.append("\(id).agreed") }
        }
        return fields
    }

    /// The part that concerns providers and models.
    var services: ServicesChange {
        get throws {
            let mode = try reader.map { name in
                guard let mode = ReaderMode(rawValue: name) else {
                    throw Problem.invalidField(
                        "reader",
                        "'reader' must be \(ReaderMode.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")).")
                }
                return mode
            }
            if sourceChosen == false {
                throw Problem.invalidField("sourceChosen", "'sourceChosen' can only be set to true.")
            }
            return ServicesChange(
                providers: providers ?? [], readers: readers ?? [], reader: mode, assistReader: assistReader,
                choosesSource: sourceChosen ?? false)
        }
    }
}
