import Foundation
import Hummingbird
import ShelflistAPI

/// The route with the address that a phone on this network opens.
struct PhoneRoutes: Sendable {
    let gatekeeper: Gatekeeper
    /// The name or IP address of this machine for phones on this network.
    let networkName: String?
    /// The certificate at `/ca.pem` that phones have to trust.
    let authorityCertificate: URL?

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/phone", needs: .viewer) { request, context in
            try message(RequestHead(request.head, peer: context.peer))
        }
    }

    private func message(_ head: RequestHead) throws -> PhoneMessage {
        guard let address = address(head) else { return PhoneMessage() }
        return PhoneMessage(
            address: address, certificateUrl: authorityCertificate.map { _ in "\(address)/ca.pem" },
            certificateFingerprint: try authorityCertificate.map(LocalAuthority.fingerprint),
            qrCode: QRCode(address)?.svg)
    }

    /// Returns the address that the client itself used, unless only this machine understands it.
    func address(_ head: RequestHead) -> String? {
        let path = gatekeeper.basePath.text
        guard gatekeeper.hasLocalName(head) else { return gatekeeper.origin(of: head) + path }
        guard let networkName else { return nil }
        let scheme = gatekeeper.isSecure(head) ? "https" : "http"
        let name = networkName.contains(":") ? "[\(networkName)]" : networkName
        guard let colon = head.authority?.lastIndex(of: ":"), let port = head.authority?[colon...].dropFirst(),
            Int(port) != nil
        else { return "\(scheme)://\(name)\(path)" }
        return "\(scheme)://\(name):\(port)\(path)"
    }
}

struct PhoneMessage: ResponseCodable {
    @Null var address: String? = nil
    @Null var certificateUrl: String? = nil
    /// The SHA-256 of that certificate, which the phone shows before it is trusted.
    @Null var certificateFingerprint: String? = nil
    /// The address as an SVG image.
    @Null var qrCode: String? = nil
}
