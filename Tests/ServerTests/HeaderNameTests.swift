import HTTPTypes
import Server
import Testing

@Suite struct HeaderNameTests {
    @Test("Header name constants equal their literals")
    func constantsEqualTheirLiterals() {
        let literals: [(HTTPField.Name, String)] = [
            (.deviceID, "X-Device-ID"), (.idempotencyKey, "Idempotency-Key"), (.fileName, "X-File-Name"),
            (.forwardedFor, "X-Forwarded-For"), (.forwardedProto, "X-Forwarded-Proto"),
            (.forwardedHost, "X-Forwarded-Host"), (.forwardedPrefix, "X-Forwarded-Prefix"), (.forwarded, "Forwarded"),
            (.secFetchSite, "Sec-Fetch-Site"),
            (.lastEventID, "Last-Event-ID"), (.requestID, "X-Request-ID"),
            (.permissionsPolicy, "Permissions-Policy"), (.referrerPolicy, "Referrer-Policy"),
            (.openerPolicy, "Cross-Origin-Opener-Policy"), (.resourcePolicy, "Cross-Origin-Resource-Policy"),
            (.frameOptions, "X-Frame-Options"), (.accelBuffering, "X-Accel-Buffering"),
            (.hsts, "Strict-Transport-Security"), (.clearSiteData, "Clear-Site-Data"),
            (.notStored, "X-Not-Stored"), (.link, "Link"),
        ]
        for (name, literal) in literals { #expect(name.rawName == literal) }
        #expect(Set(HTTPField.Name.ownNames) == Set(literals.map(\.0)))
    }
}
