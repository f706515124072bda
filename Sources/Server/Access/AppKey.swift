package import Foundation

/// The key of one app: the secret part of the address `/app/KEY` that a member gives it.
package struct AppKey: Codable, Hashable, Sendable {
    package let id: String
    /// The name that the member gave the app.
    package var name: String
    /// The member to whom the key belongs; `nil` for the first owner, if the key is older than any account.
    package let member: String?
    /// SHA-256 of the secret.
    let hash: Data
    package let createdAt: Date
    /// Precise to `AppKeyBook.usePrecision`.
    package var lastUsedAt: Date?
    package var generation = AppGeneration.automatic
    /// Whether the app's scans are added to the library without being asked for.
    package var importsAtOnce = true
    package var devices: [Device] = []

    /// A device that uses the key, by the name that it sends as `X-Device-ID`.
    package struct Device: Codable, Hashable, Sendable {
        package let name: String
        package var lastSeenAt: Date
    }

    static let maxDevices = 20
    static let maxKeysPerMember = 100

    /// Records a use of the key.
    ///
    /// - Parameter device: the value of `X-Device-ID`.
    mutating func use(at time: Date, device: String?) {
        lastUsedAt = time
        guard let device else { return }
        if let index = devices.firstIndex(where: { $0.name == device }) {
            devices[index].lastSeenAt = time
            return
        }
        devices.append(Device(name: device, lastSeenAt: time))
        guard devices.count > Self.maxDevices,
            let oldest = devices.indices.min(by: { devices[$0].lastSeenAt < devices[$1].lastSeenAt })
        else { return }
        devices.remove(at: oldest)
    }
}

/// Which protocol a key's app speaks, where its requests do not say it.
package enum AppGeneration: String, Codable, CaseIterable, Sendable {
    /// Decided by each request.
    case automatic
    case older
    case newer
}
