/// The address under which a client reaches the server.
struct BaseAddress: Hashable, Sendable {
    /// The scheme, host and port that the client used: `https://books.example.org`.
    var origin = ""
    var basePath = BasePath.root
    /// `/app/KEY` for an app's requests, otherwise empty.
    var prefix = ""

    enum Form: Sendable {
        case path
        /// `http://` or `https://`.
        case http
        /// `ws://` or `wss://`.
        case webSocket
    }

    /// Returns the address of a path of this server, as the client has to send it.
    func address(of path: String, as form: Form = .path) -> String {
        let path = basePath.text + prefix + path
        return switch form {
        case .path: path
        case .http: origin + path
        case .webSocket: origin.replacing("http", with: "ws", maxReplacements: 1) + path
        }
    }
}
