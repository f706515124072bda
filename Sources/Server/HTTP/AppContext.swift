import Foundation
import Hummingbird
import Logging
import NIOCore

/// The context of a request.
struct AppContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection; `nil` for a request that this process sends to itself.
    let peer: Peer?
    /// Identifies the request in the log and in the response.
    let requestID: String
    /// Set by `BasePathResponder` and `AppPathResponder`.
    var base = BaseAddress()
    /// Set by `BasePathResponder`.
    var place = BasePath.Place.outside
    /// The holder of the key in the path, or why it is refused; `nil` for a path without a key.
    var appCaller: Result<Caller, any Error>?
    /// Set by `Authentication`.
    var caller = Caller()
    /// For responses that take long; `nil` for a request that this process sends to itself.
    ///
    /// Set by `Authentication`.
    var callerCheck: CallerCheck?

    var responseEncoder: JSONResponses { JSONResponses(basePath: base.basePath) }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = Peer(source.channel)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? UUID().uuidString.lowercased()
    }

    /// Creates the context of a request that this process sends to itself.
    init(of caller: Caller, logger: Logger) {
        coreContext = CoreRequestContextStorage(source: OwnProcess(logger: logger))
        (peer, requestID) = (nil, UUID().uuidString.lowercased())
        self.caller = caller
    }

    private struct OwnProcess: RequestContextSource {
        let logger: Logger
    }

    /// Returns the address of a path of this server, as the client has to send it: below its key for an app.
    func address(of path: String, as form: BaseAddress.Form = .path) -> String { base.address(of: path, as: form) }
}
