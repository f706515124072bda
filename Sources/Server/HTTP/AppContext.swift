import Foundation
import Hummingbird
import Logging
import NIOCore

/// The context of a request.
struct AppContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The remote address of the connection: a client or a proxy.
    let peer: SocketAddress?
    /// Identifies the request in the log and in the response.
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
