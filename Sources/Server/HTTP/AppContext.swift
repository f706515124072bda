import Foundation
import Hummingbird
import Logging
import NIOCore

/// What is known of a request besides its head and body.
struct AppContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection: a client, or a proxy.
    let peer: SocketAddress?
    /// Names the request in log and answer.
    let requestID: String
    /// Set by `Authentication`.
    var caller = Caller()

    var responseEncoder: JSONResponses { JSONResponses() }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? UUID().uuidString.lowercased()
    }
}
