import Concurrency
import Foundation
import HTTPTypes
import Hummingbird
import ShelflistAPI

/// The routes for the keys of a member's apps.
struct AppRoutes: Sendable {
    let accounts: AccountBook
    let apps: AppKeyBook
    let gatekeeper: Gatekeeper
    let phones: PhoneRoutes
    let audit: AccessRecord

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/apps", needs: .keyHolder) { request, context in
            try Paging(Query(request)).page(of: try apps.keys().filter { owns(context.caller, $0) }, AppMessage.init)
        }
        table.add(.post, "api/v1/apps", needs: .keyHolder.confirmed, connect)
        table.add(.patch, "api/v1/apps/:app", needs: .keyHolder, change)
        table.add(.delete, "api/v1/apps/:app", needs: .keyHolder, revoke)
    }

    /// Whether a key belongs to the caller.
    ///
    /// One from before there was an owner belongs to the first owner.
    private func owns(_ caller: Caller, _ key: AppKey) -> Bool {
        key.member == caller.member || key.member == nil && accounts.read(\.firstOwner)?.id == caller.member
    }

    private func connect(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let new: NewAppMessage = try await request.json()
        let (key, secret) = try apps.add(new.name, member: context.caller.member, at: gatekeeper.date())
        audit.record(.appConnected, by: context.caller, subject: new.name)
        let head = RequestHead(request.head, peer: context.peer)
        let phone = phones.address(head)
        let path = AppPath.root + secret
        let url = (phone ?? context.base.address(of: "", as: .http)) + path
        return ConnectedAppMessage(
            app: AppMessage(key), path: ServerPath(path), url: url, qrCode: QRCode(url)?.svg, reachable: phone != nil
        ).with(.created)
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> AppMessage {
        let change: AppChangeMessage = try await request.json()
        let id = try context.parameters.require("app")
        if let name = change.name { try AppKeyBook.check(name: name) }
        return try apps.change { keys in
            guard let index = keys.firstIndex(where: { $0.id == id && owns(context.caller, $0) }) else {
                throw Problem.notFound
            }
            try EntityTag.check(request, current: AppMessage(keys[index]).etag)
            if let name = change.name {
                let isTaken = keys.contains { $0.id != id && $0.name == name && $0.member == keys[index].member }
                guard !isTaken else { throw AppKeyError.nameTaken(name) }
                keys[index].name = name
            }
            if let generation = change.generation { keys[index].generation = generation }
            if let importsAtOnce = change.importsAtOnce { keys[index].importsAtOnce = importsAtOnce }
            return AppMessage(keys[index])
        }
    }

    private func revoke(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let (id, caller) = (try context.parameters.require("app"), context.caller)
        let revoked = try apps.changeAtOnce { keys in
            guard let index = keys.firstIndex(where: { $0.id == id && owns(caller, $0) }) else {
                throw Problem.notFound
            }
            return keys.remove(at: index)
        }
        audit.record(.appRevoked, by: context.caller, subject: revoked.name)
        return .noContent
    }
}

private struct AppMessage: TaggedMessage {
    var id: String
    var name: String
    var generation: AppGeneration
    var importsAtOnce: Bool
    var devices: [AppKey.Device]
    var createdAt: Date
    @Null var lastUsedAt: Date?
    var etag: String

    init(_ key: AppKey) {
        (id, name, generation, importsAtOnce) = (key.id, key.name, key.generation, key.importsAtOnce)
        devices = key.devices.sorted { $0.lastSeenAt > $1.lastSeenAt }
        createdAt = key.createdAt
        lastUsedAt = key.lastUsedAt
        // Without what changes when the app is used.
        etag = EntityTag.of(bytes: Data("\(id) \(name) \(generation.rawValue) \(importsAtOnce)".utf8))
    }
}

private struct NewAppMessage: Decodable {
    var name: String
}

private struct AppChangeMessage: Decodable {
    var name: String?
    var generation: AppGeneration?
    var importsAtOnce: Bool?
}

private struct ConnectedAppMessage: ResponseEncodable {
    var app: AppMessage
    /// The secret path; returned only here.
    var path: ServerPath
    /// The address for the app.
    var url: String
    /// The address as an SVG image.
    @Null var qrCode: String?
    /// Whether other devices can reach the address.
    var reachable: Bool
}
