import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The part of a request, or of a WebSocket handshake, that authenticates its sender.
struct RequestHead: Sendable {
    let method: HTTPRequest.Method
    let fields: HTTPFields
    let authority: String?
    let peer: String?
    var isUpgrade = false
    /// A token from the query or the WebSocket subprotocol, because browsers cannot set headers there.
    var otherToken: String?

    init(_ request: HTTPRequest, peer: SocketAddress?) {
        method = request.method
        fields = request.headerFields
        authority = request.authority
        self.peer = peer?.ipAddress
    }

    var changesSomething: Bool { ![.get, .head, .options].contains(method) }

    var bearer: String? {
        guard let value = fields[.authorization] else { return otherToken }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }

    func cookie(_ name: String) -> String? { Cookies(from: fields[values: .cookie])[name]?.value }
}
