import Concurrency
package import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import ShelflistAPI
import Storage
import Synchronization

/// How a server that serves this machine only can also serve phones on this network, when its owner says so.
package struct NetworkSettings: Sendable {
    /// Stores the owner's choice for the next start.
    package var file: URL
    package var authority: LocalAuthority
    /// Returns this machine's names and addresses, most likely first.
    package var names: @Sendable () -> [String]
    package var host = "0.0.0.0"
    /// Another free port is used if a program has this one.
    package var port = 8443

    package init(file: URL, authority: LocalAuthority, names: @escaping @Sendable () -> [String]) {
        (self.file, self.authority, self.names) = (file, authority, names)
    }
}

/// The second listener of such a server: over HTTPS with the machine's own certificate, on all of its addresses.
///
/// It is never open while the server has no owner, because such a server has no sign-in.
final class NetworkAccess: Sendable {
    /// Makes a listener; the last argument is called with its channel before it serves connections.
    typealias Listener =
        @Sendable (_ host: String, _ port: Int, ServedCertificate, @escaping @Sendable (any Channel) -> Void) throws
        -> any Service

    struct Address: Equatable, Sendable {
        var name: String
        var port: Int
    }

    private struct Running {
        var address: Address
        var certificate: ServedCertificate
        var channel: any Channel
        var group: ServiceGroup
        var task: Task<Void, Never>
    }

    /// The owner's choice, and the port that phones know.
    private struct Stored: Codable, Sendable {
        var isOn: Bool
        var port: Int?
    }

    private let settings: NetworkSettings
    private let accounts: AccountBook
    private let logger: Logger
    private let file: JSONFile<Stored>
    private let changes = SerialQueue()
    private let listener = Mutex<Listener?>(nil)
    private let running = Mutex<Running?>(nil)
    /// The ports of all listeners since the server started: a connection may outlive its listener.
    private let ports = Mutex<Set<Int>>([])
    /// Listeners that end when their last requests have ended.
    private let ending = Mutex<[Task<Void, Never>]>([])

    init(_ settings: NetworkSettings, accounts: AccountBook, logger: Logger) {
        (self.settings, self.accounts, self.logger) = (settings, accounts, logger)
        file = JSONFile(settings.file, fix: "Remove it, and turn on access from the network again.")
    }

    /// Where phones reach the server; nil while it is closed to them.
    var address: Address? { running.withLock { $0?.address } }

    /// The certificate that phones have to trust; nil while the server is closed to them.
    var authorityCertificate: URL? { address.map { _ in settings.authority.authorityFile } }

    /// Whether a connection to this port came through the second listener.
    func serves(port: Int?) -> Bool { port.map { port in ports.withLock { $0.contains(port) } } ?? false }

    // MARK: Changes

    /// Sets how listeners are made, and opens one if the owner has turned it on before.
    func start(_ listener: @escaping Listener) async {
        self.listener.withLock { $0 = listener }
        do {
            try await changes.run { [self] in
                guard let stored = try file.load(), stored.isOn else { return }
                try await open(stored.port ?? settings.port)
            }
        } catch {
            logger.error(
                "Phones on this network cannot reach the server. Turn it off and on in the settings, Sharing and server.",
                metadata: ["reason": "\(error)"])
        }
    }

    /// Serves phones, also after the next start.
    ///
    /// - Throws: `Problem`, `StorageError`, errors of the certificate and of binding the port.
    func turnOn() async throws {
        try await changes.run { [self] in
            try await open(try file.load()?.port ?? settings.port)
            try file.save(Stored(isOn: true, port: address?.port))
        }
    }

    /// Accepts no more connections of phones.
    ///
    /// Requests that are being answered have two seconds.
    ///
    /// - Throws: `StorageError`; the server is closed to phones then, but not after the next start.
    func turnOff() async throws {
        try await changes.run { [self] in
            let port = try file.load()?.port
            await close()
            try file.save(Stored(isOn: false, port: port))
        }
    }

    /// Ends the listener with the server; the next start opens it again.
    func stop() async {
        listener.withLock { $0 = nil }
        do { try await changes.run { [self] in await close() } } catch {}
        for task in ending.withLock({ $0 }) { await task.value }
    }

    /// Renews the certificate if it expires soon, or the machine has another name.
    func renewCertificate() throws {
        guard let certificate = running.withLock({ $0?.certificate }) else { return }
        let name = try prepareCertificate()
        try certificate.reload()
        running.withLock { $0?.address.name = name }
    }

    // MARK: The listener

    private func open(_ port: Int) async throws {
        guard accounts.hasOwner else { throw Problem.ownerNeeded }
        guard address == nil, let listener = listener.withLock({ $0 }) else { return }
        let name = try prepareCertificate()
        let certificate = try ServedCertificate(settings.authority.serverFiles)
        do {
            try await listen(listener, port, certificate, name)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            try await listen(listener, 0, certificate, name)
        }
        logger.notice(
            "Phones on this network can reach the server",
            metadata: ["address": "https://\(name):\(address?.port ?? port)"])
    }

    private func prepareCertificate() throws -> String {
        let names = settings.names()
        let name = names.first ?? "localhost"
        if try settings.authority.prepare(names: names, required: [name]) {
            logger.notice("A certificate authority was created. Phones have to trust it.")
        }
        return name
    }

    private func listen(
        _ listener: Listener, _ port: Int, _ certificate: ServedCertificate, _ name: String
    ) async throws {
        let (started, start) = AsyncThrowingStream<any Channel, any Error>.makeStream()
        let service = try listener(settings.host, port, certificate) { [self] channel in
            if let port = channel.localAddress?.port { ports.withLock { _ = $0.insert(port) } }
            start.yield(channel)
        }
        var configuration = ServiceGroupConfiguration(services: [service], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        // Detached: its end is not that of the request that started it.
        let task = Task.detached { [self] in
            do {
                try await group.run()
                start.finish()
            } catch {
                start.finish(throwing: error)
            }
            // After what opens it, which notes it last.
            do { try await changes.run { [self] in forget(group) } } catch {}
        }
        guard let channel = try await started.first(where: { _ in true }) else { throw CancellationError() }
        let address = Address(name: name, port: channel.localAddress?.port ?? port)
        running.withLock {
            $0 = Running(address: address, certificate: certificate, channel: channel, group: group, task: task)
        }
    }

    private func close() async {
        guard let open = running.withLock({ $0.take() }) else { return }
        ending.withLock { $0.append(open.task) }
        await open.group.triggerGracefulShutdown()
        // Only for the port: one of the requests that are being answered may be the owner's, which closes it.
        do { try await open.channel.closeFuture.get() } catch {}
    }

    /// Notes that a listener has ended, unless another one is open by now.
    private func forget(_ group: ServiceGroup) {
        running.withLock { if $0?.group === group { $0 = nil } }
    }
}

/// Opens the second listener where its owner has turned it on, and closes it with the server.
struct NetworkService: Service {
    let access: NetworkAccess
    let listener: NetworkAccess.Listener

    func run() async throws {
        await access.start(listener)
        // Throws when the task is cancelled, which ends the server as well.
        do { try await gracefulShutdown() } catch {}
        await access.stop()
    }
}
