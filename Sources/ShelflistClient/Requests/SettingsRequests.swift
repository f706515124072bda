public import ShelflistAPI

extension ShelflistClient {
    /// Returns the settings of the server.
    ///
    /// ```swift
    /// let settings = try await client.settings()
    /// show(settings.threshold)
    /// ```
    public func settings() async throws(ShelflistError) -> LibrarySettings {
        try await connection.value(.init("GET", "api/v1/settings"))
    }

    /// Changes settings of the server; changes of other clients to the same settings are overwritten.
    ///
    /// ```swift
    /// let settings = try await client.change(LibrarySettingsChange(threshold: 0.7))
    /// show(settings.threshold)
    /// ```
    ///
    /// - Throws: `ShelflistError` of the category `notAllowed` unless the token is the owner's and may administer.
    public func change(_ settings: LibrarySettingsChange) async throws(ShelflistError) -> LibrarySettings {
        try await connection.value(.init("PATCH", "api/v1/settings").ifMatch("*").json(settings))
    }

    /// Returns the outlines of the spines in a frame of the viewfinder; nothing is stored or recognised.
    ///
    /// ```swift
    /// let preview = try await client.preview(.data(frame))
    /// show(preview.spines.count)
    /// ```
    ///
    /// - Parameter frame: JPEG of at most 1 MB and 2 megapixels.
    /// - Throws: `ShelflistError` of the category `busy` while photos are read.
    public func preview(_ frame: PhotoSource) async throws(ShelflistError) -> ViewfinderPreview {
        try await connection.value(.init("POST", "api/v1/preview").photo(frame))
    }

    /// Signs a member in and returns an access token for this device, which may scan, read and change the library.
    ///
    /// ```swift
    /// let token = try await client.signIn("ann", password: password, device: "Ann's iPhone")
    /// show(ShelflistClient(address: address, token: token))
    /// ```
    ///
    /// - Parameters:
    ///   - name: of the member.
    ///   - password: of the member.
    ///   - code: of the member's second factor, if there is one.
    ///   - device: names the token in the settings of the web app, where it can be revoked.
    ///   - days: after which the token expires, 1...3650.
    /// - Throws: `ShelflistError`; its problem has the code `code_needed` if the member has a second factor.
    public func signIn(
        _ name: String, password: String, code: String? = nil, device: String, days: Int = 365
    ) async throws(ShelflistError) -> String {
        let credentials = AccessRequests.Credentials(name: name, password: password, code: code)
        return try await access.createToken(device, scopes: ["scan", "read", "write"], days: days, for: credentials)
            .secret
    }
}
