package import HTTPTypes

extension HTTPField.Name {
    package static let deviceID = constant("X-Device-ID")
    package static let idempotencyKey = constant("Idempotency-Key")
    package static let fileName = constant("X-File-Name")
    package static let forwardedFor = constant("X-Forwarded-For")
    package static let forwardedProto = constant("X-Forwarded-Proto")
    package static let forwardedHost = constant("X-Forwarded-Host")
    package static let forwardedPrefix = constant("X-Forwarded-Prefix")
    package static let forwarded = constant("Forwarded")
    package static let secFetchSite = constant("Sec-Fetch-Site")
    package static let lastEventID = constant("Last-Event-ID")
    package static let requestID = constant("X-Request-ID")
    package static let permissionsPolicy = constant("Permissions-Policy")
    package static let referrerPolicy = constant("Referrer-Policy")
    package static let openerPolicy = constant("Cross-Origin-Opener-Policy")
    package static let resourcePolicy = constant("Cross-Origin-Resource-Policy")
    package static let frameOptions = constant("X-Frame-Options")
    package static let hsts = constant("Strict-Transport-Security")
    package static let accelBuffering = constant("X-Accel-Buffering")
    package static let clearSiteData = constant("Clear-Site-Data")
    package static let notStored = constant("X-Not-Stored")
    package static let link = constant("Link")

    /// All names above.
    ///
    /// The server evaluates them at startup, so that an invalid name traps there.
    package static let ownNames: [HTTPField.Name] = [
        .deviceID, .idempotencyKey, .fileName, .forwardedFor, .forwardedProto, .forwardedHost, .forwardedPrefix,
        .forwarded, .secFetchSite, .lastEventID, .requestID, .permissionsPolicy, .referrerPolicy, .openerPolicy,
        .resourcePolicy,
        .frameOptions, .hsts, .accelBuffering, .clearSiteData, .notStored, .link,
    ]

    private static func constant(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("'\(text)' is not a valid header name.") }
        return name
    }
}

extension HTTPRequest.Method {
    static let query: HTTPRequest.Method = {
        guard let method = HTTPRequest.Method("QUERY") else { preconditionFailure("'QUERY' is not a valid method.") }
        return method
    }()
}
