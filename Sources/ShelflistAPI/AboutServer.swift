public import Foundation

/// The server's version, limits and models.
public struct AboutServer: Codable, Sendable {
    public var name = "Shelflist"
    public var version: String
    /// The abbreviated commit of the sources.
    @Null public var commit: String?
    /// The build that was installed while the server ran, which a restart starts; only for the owner.
    @Null public var installed: InstalledBuild?
    public var limits: Limits
    public var readers = ["local"]
    /// The scripts that are read on spines, by their codes of ISO 15924; nil from an earlier version.
    public var letters: [String]?
    public var formats = ["jpeg", "png", "webp", "heic"]
    public var models: [Model] = []

    public init(version: String, commit: String?, limits: Limits) {
        (self.version, self.commit, self.limits) = (version, commit, limits)
    }

    public struct InstalledBuild: Codable, Hashable, Sendable {
        public var version: String
        public var commit: String?

        public init(version: String, commit: String?) { (self.version, self.commit) = (version, commit) }
    }

    public struct Limits: Codable, Hashable, Sendable {
        public var photoBytes: Int
        public var photoPixels: Int
        public var photosPerJob: Int
        public var jobsInFlight: Int
        public var requestsPerMinute: Int
        public var jsonBytes = 1_000_000
        public var csvBytes = 50_000_000
        public var csvRows = 200_000
        public var resultHours: Int

        public init(
            photoBytes: Int, photoPixels: Int, photosPerJob: Int, jobsInFlight: Int, requestsPerMinute: Int,
            resultHours: Int
        ) {
            (self.photoBytes, self.photoPixels) = (photoBytes, photoPixels)
            (self.photosPerJob, self.jobsInFlight) = (photosPerJob, jobsInFlight)
            (self.requestsPerMinute, self.resultHours) = (requestsPerMinute, resultHours)
        }
    }

    public struct Model: Codable, Hashable, Sendable {
        public var name: String
        public var version: String

        public init(name: String, version: String) { (self.name, self.version) = (name, version) }
    }
}

/// Who a request is from, and whether the server needs an owner first.
public struct SessionState: Codable, Hashable, Sendable {
    public var setupNeeded: Bool
    public var signedIn: Bool
    @Null public var member: Member?
    /// Whether sensitive changes are allowed without entering the password again.
    public var confirmed: Bool
    public var via: String
    @Null public var openId: OpenID?

    public init(
        setupNeeded: Bool, signedIn: Bool, member: Member?, confirmed: Bool, via: String, openId: OpenID?
    ) {
        (self.setupNeeded, self.signedIn, self.confirmed) = (setupNeeded, signedIn, confirmed)
        (self.via, self.member, self.openId) = (via, member, openId)
    }

    /// The OpenID Connect provider with which members can sign in.
    public struct OpenID: Codable, Hashable, Sendable {
        public var name: String
        /// Whether passwords are refused.
        public var onlyWay: Bool

        public init(name: String, onlyWay: Bool) { (self.name, self.onlyWay) = (name, onlyWay) }
    }
}

/// A member of a server.
public struct Member: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    public var name: String
    /// `viewer`, `editor`, `owner` or another word.
    public var role: String
    public var createdAt: Date
    public var secondFactor: Bool
    /// Whether the member has a password.
    public var password: Bool
    /// Whether the member signs in with the OpenID provider.
    public var openId: Bool
    /// The account at the OpenID provider with which the member signs in.
    @Null public var openIdAccount: OpenIDAccount?
    public var etag: String

    public init(
        id: String, name: String, role: String, createdAt: Date, secondFactor: Bool, password: Bool, openId: Bool,
        openIdAccount: OpenIDAccount? = nil, etag: String
    ) {
        (self.id, self.name, self.role, self.createdAt) = (id, name, role, createdAt)
        (self.secondFactor, self.password, self.openId, self.etag) = (secondFactor, password, openId, etag)
        self.openIdAccount = openIdAccount
    }

    /// A person's account at an OpenID provider.
    public struct OpenIDAccount: Codable, Hashable, Sendable {
        /// The provider's address.
        public var issuer: String
        /// What the provider calls the person, else its identifier of the person.
        public var name: String
        /// When the member connected the account; `nil` if the member was added by signing in with it.
        @Null public var linkedAt: Date?

        public init(issuer: String, name: String, linkedAt: Date?) {
            (self.issuer, self.name, self.linkedAt) = (issuer, name, linkedAt)
        }
    }
}
