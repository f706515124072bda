import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The two ends of a connection.
struct Peer: Sendable {
    /// The remote address: of a client or a proxy.
    let address: SocketAddress?
    /// The port of this server.
    let port: Int?

    init(_ channel: any Channel) { (address, port) = (channel.remoteAddress, channel.localAddress?.port) }
}

/// The part of a request, or of a WebSocket handshake, that authenticates its sender.
struct RequestHead: Sendable {
    let method: HTTPRequest.Method
    let fields: HTTPFields
    let authority: String?
    let peer: String?
    /// The port of this server to which the connection leads.
    let port: Int?
    var isUpgrade = false
    /// A token from the query or the WebSocket subprotocol, because browsers cannot set headers there.
    var otherToken: String?

    init(_ request: HTTPRequest, peer: Peer?) {
        method = request.method
        fields = request.headerFields
        authority = request.authority
        self.peer = peer?.address?.ipAddress
        port = peer?.port
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
