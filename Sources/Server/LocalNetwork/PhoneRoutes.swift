import Foundation
import Hummingbird
import ShelflistAPI

/// The routes with the address that a phone on this network opens, and to open the server to the network.
struct PhoneRoutes: Sendable {
    let gatekeeper: Gatekeeper
    /// The name or IP address of this machine for phones on this network.
    let networkName: String?
    /// Returns the certificate at `/ca.pem` that phones have to trust.
    let authorityCertificate: @Sendable () -> URL?
    let audit: AccessRecord

    private var network: NetworkAccess? { gatekeeper.network }

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/phone", needs: .viewer) { request, context in
            try message(RequestHead(request.head, peer: context.peer))
        }
        table.add(.put, "api/v1/network", needs: .owner.confirmed) { request, context in
            let choice: NetworkChoice = try await request.json()
            guard let network else { throw Problem.networkFixed }
            if choice.on { try await network.turnOn() } else { try await network.turnOff() }
            audit.record(.settingsChanged, by: context.caller, subject: "network: \(choice.on ? "on" : "off")")
            return try message(RequestHead(request.head, peer: context.peer))
        }
    }

    private func message(_ head: RequestHead) throws -> PhoneMessage {
        var message = PhoneMessage(networkOn: network.map { $0.address != nil })
        guard let address = address(head) else { return message }
        let certificate = authorityCertificate()
        message.address = address
        message.certificateUrl = certificate.map { _ in "\(address)/ca.pem" }
        message.certificateFingerprint = try certificate.map(LocalAuthority.fingerprint)
        message.qrCode = QRCode(address)?.svg
        return message
    }

    /// Returns the address that the client itself used, unless only this machine understands it.
    func address(_ head: RequestHead) -> String? {
        let path = gatekeeper.basePath.text
        guard gatekeeper.hasLocalName(head) else { return gatekeeper.origin(of: head) + path }
        if let address = network?.address { return "https://\(Self.host(address.name)):\(address.port)\(path)" }
        guard let networkName else { return nil }
        let scheme = gatekeeper.isSecure(head) ? "https" : "http"
        let name = Self.host(networkName)
        guard let colon = head.authority?.lastIndex(of: ":"), let port = head.authority?[colon...].dropFirst(),
            Int(port) != nil
        else { return "\(scheme)://\(name)\(path)" }
        return "\(scheme)://\(name):\(port)\(path)"
    }

    private static func host(_ name: String) -> String { name.contains(":") ? "[\(name)]" : name }
}

private struct NetworkChoice: Decodable {
    var on: Bool
}

struct PhoneMessage: ResponseCodable {
    @Null var address: String? = nil
    @Null var certificateUrl: String? = nil
    /// The SHA-256 of that certificate, which the phone shows before it is trusted.
    @Null var certificateFingerprint: String? = nil
    /// The address as an SVG image.
    @Null var qrCode: String? = nil
    /// Whether the owner has opened the server to this network; `nil` where its options decide.
    @Null var networkOn: Bool? = nil
}
