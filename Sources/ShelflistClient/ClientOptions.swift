public import Foundation
package import ShelflistAPI

/// How a client talks to its server.
///
/// ```swift
/// var options = ClientOptions(trustRoots: pem, patience: .seconds(60))
/// options.deviceID = device
/// let client = ShelflistClient(address: address, token: token, options: options)
/// ```
public struct ClientOptions: Sendable {
    /// Certificates (PEM) that are trusted in addition to the system's: the server's own authority, whose certificate
    /// `https://SERVER/ca.pem` has.
    public var trustRoots: Data?
    /// Identifies the device, so that the photos of several devices of one member are read in turn.
    public var deviceID: String?
    /// How long a scan tries to reach the server again before it ends with an error.
    public var patience: Duration

    /// Creates options.
    public init(trustRoots: Data? = nil, deviceID: String? = nil, patience: Duration = .seconds(15 * 60)) {
        (self.trustRoots, self.deviceID, self.patience) = (trustRoots, deviceID, patience)
    }
}

/// What tests replace: network, time and chance.
package struct ClientEnvironment: Sendable {
    /// Nil for the platform's.
    package var transport: (any Transport)?
    package var clock: any Clock<Duration> = ContinuousClock()
    /// Returns a number in 0..<1.
    package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
    package var limits = ClientLimits()

    package init() {}
}

/// Time limits of a client.
package struct ClientLimits: Sendable {
    package var connect = Duration.seconds(10)
    /// Of a request, without anything sent or received.
    package var idle = Duration.seconds(30)
    /// Of a stream of events; the server sends something every 30 s.
    package var silence = Duration.seconds(75)
    /// Until a stream of events has opened.
    package var handshake = Duration.seconds(15)
    package var pollInterval = Duration.seconds(2)
    /// How long a scan polls before it tries a stream again.
    package var climbAfter = Duration.seconds(30)
    /// Of an upload or a request that can be repeated.
    package var attempts = 3
    package var backoff = Backoff(first: 0.5)
    /// The longest wait that a server's `Retry-After` can ask of an attempt.
    package var longestRetryAfter = Duration.seconds(120)
    /// Of the request that cancels a scan.
    package var cancellation = Duration.seconds(5)

    package init() {}

    /// Returns how long to wait before an attempt; see `Backoff`.
    package func wait(after failures: Int, random: Double) -> Duration {
        .seconds(backoff.delay(after: failures, random: random))
    }
}
