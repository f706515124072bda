import Hummingbird
import ShelflistAPI

/// The route with the address that a phone on this network opens.
struct PhoneRoutes: Sendable {
    let gatekeeper: Gatekeeper
    /// The name or IP address of this machine for phones on this network.
    let networkName: String?
    /// Whether phones have to trust the certificate at `/ca.pem`.
    let hasAuthority: Bool

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/phone", needs: .viewer) { request, context in
            message(RequestHead(request.head, peer: context.peer))
        }
    }

    private func message(_ head: RequestHead) -> PhoneMessage {
        guard let address = address(head) else { return PhoneMessage() }
        return PhoneMessage(
            address: address, certificateUrl: hasAuthority ? "\(address)/ca.pem" : nil, qrCode: QRCode(address)?.svg)
    }

    /// Returns the address that the client itself used, unless only this machine understands it.
    func address(_ head: RequestHead) -> String? {
        guard gatekeeper.hasLocalName(head) else { return gatekeeper.origin(of: head) }
        guard let networkName else { return nil }
        let scheme = gatekeeper.isSecure(head) ? "https" : "http"
        let name = networkName.contains(":") ? "[\(networkName)]" : networkName
        guard let colon = head.authority?.lastIndex(of: ":"), let port = head.authority?[colon...].dropFirst(),
            Int(port) != nil
        else { return "\(scheme)://\(name)" }
        return "\(scheme)://\(name):\(port)"
    }
}

struct PhoneMessage: ResponseCodable {
    @Null var address: String?
    @Null var certificateUrl: String?
    /// The address as an SVG image.
    @Null var qrCode: String?

    init(address: String? = nil, certificateUrl: String? = nil, qrCode: String? = nil) {
        self.address = address
        self.certificateUrl = certificateUrl
        self.qrCode = qrCode
    }
}
