public import Foundation
public import Observation
public import ShelflistClient

/// The connection to a server: its address, then a member's name and password, or an access token.
///
/// ```swift
/// let model = SignInModel(device: "Ann's iPhone")
/// model.address = "books.example.org"
/// await model.connect()
/// (model.name, model.password) = ("ann", password)
/// await model.signIn()
/// if let account = model.account { show(account.client()) }
/// ```
@MainActor @Observable
public final class SignInModel: ExclusiveModel {
    /// What is asked for.
    ///
    /// ```swift
    /// switch model.step {
    /// case .address: show("Server", model.address)
    /// case .member: show("Name and password, or a token", model.isBusy)
    /// case .code: show("Code of your second factor", model.error?.message)
    /// case .done: show(model.account?.address)
    /// }
    /// ```
    public enum Step: String, CaseIterable, Sendable {
        /// The address of the server.
        case address
        /// Name and password, or a token.
        case member
        /// The code of the member's second factor.
        case code
        /// Nothing: see `account`.
        case done
    }

    /// A server and the token of this device, to be kept in the keychain.
    ///
    /// ```swift
    /// let account = SignInModel.Account(address: address, token: token)
    /// let client = account.client()
    /// ```
    public struct Account: Codable, Hashable, Sendable {
        /// The address of the server.
        public var address: URL
        /// Nil if the server has no members.
        public var token: String?

        /// Creates an account, for example from the keychain.
        public init(address: URL, token: String?) { (self.address, self.token) = (address, token) }

        /// Returns a client of the server.
        public func client(options: ClientOptions = ClientOptions()) -> ShelflistClient {
            ShelflistClient(address: address, token: token, options: options)
        }
    }

    /// The address as it was entered; `https` is added where it has no scheme.
    public var address = ""
    /// The member's name.
    public var name = ""
    /// The member's password.
    public var password = ""
    /// The code of the member's second factor.
    public var code = ""
    /// An access token of the web app, in place of name and password.
    public var token = ""
    /// What is asked for.
    public private(set) var step = Step.address
    /// The result.
    public private(set) var account: Account?
    /// Whether a request is running.
    public internal(set) var isBusy = false
    /// What is wrong with the last action.
    public internal(set) var error: ShelflistError?

    @ObservationIgnored private let device: String
    @ObservationIgnored private let client: @Sendable (Account) -> ShelflistClient
    private var server: URL?

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - device: names the token in the settings of the web app.
    ///   - client: returns a client; tests return one of a scripted server.
    public init(device: String, client: @escaping @Sendable (Account) -> ShelflistClient = { $0.client() }) {
        (self.device, self.client) = (device, client)
    }

    /// Looks for a server at the address.
    public func connect() async {
        guard let url = Self.url(address) else {
            error = ShelflistError(
                .invalid, "'\(address)' is not an address.", "Enter one such as https://books.example.org.")
            return
        }
        await actAlone { () throws(ShelflistError) in
            let account = Account(address: url, token: nil)
            try self.accept(await self.client(account).probe(), account)
            if self.account == nil { (self.server, self.step) = (url, .member) }
        }
    }

    /// Signs in with the token if there is one, else with name, password and code.
    ///
    /// ```swift
    /// if model.step == .code { model.code = "123456" } else { model.token = token }
    /// await model.signIn()
    /// ```
    public func signIn() async {
        guard let server else { return }
        await actAlone { () throws(ShelflistError) in
            var account = Account(address: server, token: self.token)
            if self.token.isEmpty {
                account.token = try await self.client(Account(address: server, token: nil)).signIn(
                    self.name, password: self.password, code: self.code.isEmpty ? nil : self.code, device: self.device)
            }
            try self.accept(await self.client(account).probe(), account)
            guard self.account == nil else { return }
            throw ShelflistError(.signInNeeded, "The server refused the token.", "Create a token in the web app.")
        }
    }

    /// Asks for the address again.
    ///
    /// ```swift
    /// model.reset()
    /// ```
    public func reset() {
        (step, server, account, error) = (.address, nil, nil, nil)
        (password, code, token) = ("", "", "")
    }

    /// - Throws: `ShelflistError` if the server cannot be used.
    private func accept(_ probe: ServerProbe, _ account: Account) throws(ShelflistError) {
        switch probe {
        case .ready:
            (self.account, step) = (account, .done)
            (password, code, token) = ("", "", "")
        case .signInNeeded: break
        case .setupNeeded:
            throw ShelflistError(.notAllowed, "The server has no owner yet.", "Create one in its web app.")
        case .tooOld(let version):
            throw ShelflistError(.version, "The server's version \(version) is too old.", "Update the server.")
        case .tooNew(let version):
            throw ShelflistError(.version, "The server's version \(version) is too new.", "Update the app.")
        case .wrongCertificate(let error), .notAServer(let error), .unreachable(let error): throw error
        }
    }

    func recover(from error: ShelflistError) {
        if error.problem?.code == "code_needed", step == .member { step = .code }
    }

    private static func url(_ text: String) -> URL? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let url = URL(string: text.contains("://") ? text : "https://" + text)
        guard let url, ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else { return nil }
        return url
    }
}
