import Foundation
import Hummingbird
import Imaging
import Logging
import Lookup
import NIOCore
import Scans
import ShelflistAPI

/// The routes for health, readiness, metrics and the API's description.
struct OperationsRoutes: Sendable {
    let jobs: ScanJobs
    let online: OnlineServices
    let metrics: ServerMetrics
    let about: AboutServer
    /// Returns the installed build if it is another than the running one.
    let installedBuild: @Sendable () -> Build?
    /// The OpenAPI document; `nil` if it is not installed.
    let apiDocument: [UInt8]?
    /// Returns the CA certificate that phones have to trust; `nil` for a server without its own authority.
    let authorityCertificate: @Sendable () -> URL?

    func add(to table: inout RouteTable) {
        table.add(.get, "health", needs: .probe) { _, context in
            // Both are in one database.
            await answer([(["jobs", "library"], { try await jobs.log.check() })], context)
        }
        table.add(.get, "ready", needs: .probe, ready)
        table.add(.get, "metrics", needs: .monitor, showMetrics)
        table.add(.get, "api/v1/about", needs: .probe) { _, context in
            var about = about
            about.readers = online.choice.usableModes.map(\.rawValue)
            if context.caller.role == .owner {
                about.installed = installedBuild().map { .init(version: $0.version, commit: $0.commit) }
            }
            return about
        }
        table.add(.get, "api/v1/openapi.json", needs: .anyone) { request, _ in
            guard let apiDocument else { throw Problem.notFound }
            return Response.cacheable(
                apiDocument, type: "application/json", tag: EntityTag.of(bytes: apiDocument), maxAge: 0,
                request: request)
        }
        table.add(.get, "ca.pem", needs: .probe) { _, _ in
            guard let authorityCertificate = authorityCertificate() else { throw Problem.notFound }
            return Response(
                status: .ok, headers: [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: try Data(contentsOf: authorityCertificate))))
        }
    }

    private func ready(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        await answer(
            [
                (["jobs"], { try await jobs.log.check() }),
                (["intake"], { if await jobs.runner.isStopping { throw JobError.stopping } }), (["disk"], checkDisk),
            ], warnings: photosWaitForDisk, context)
    }

    /// Photos are accepted, and their files may be on a part of the disk that fails.
    private var photosWaitForDisk: [HealthMessage.Check] {
        guard jobs.runner.photosWaitingForDisk > 0 else { return [] }
        return [.init(name: "photos", ok: false, detail: "Photos wait for the disk", milliseconds: 0)]
    }

    private func checkDisk() throws {
        try jobs.files.checkRoom(for: 2 * jobs.limits.photo.maxBytes)
    }

    /// Errors name paths, and anyone may ask, so the answer has only their kind; the log has the rest.
    ///
    /// - Parameter warnings: what does not work, although requests are answered.
    private func answer(
        _ checks: [(names: [String], run: () async throws -> Void)], warnings: [HealthMessage.Check] = [],
        _ context: AppContext
    ) async -> EditedResponse<HealthMessage> {
        var message = HealthMessage(status: "ok", checks: [])
        for check in checks {
            let start = ContinuousClock.now
            var detail: String?
            do {
                try await check.run()
            } catch {
                detail = Problem(error)?.title ?? "Internal error"
                context.logger.error(
                    "A health check failed",
                    metadata: ["check": "\(check.names.joined(separator: ", "))", "error": "\(error)"])
                message.status = "failing"
            }
            let took = start.duration(to: .now) / .milliseconds(1)
            message.checks += check.names.map {
                HealthMessage.Check(name: $0, ok: detail == nil, detail: detail, milliseconds: took)
            }
        }
        message.checks += warnings
        guard message.status == "ok" else { return message.with(.serviceUnavailable) }
        if !warnings.isEmpty { message.status = "degraded" }
        return message.with(.ok)
    }

    private func showMetrics(_ request: Request, _ context: AppContext) async throws -> Response {
        let text = metrics.text(
            jobs: try await jobs.runner.counts(), statistics: jobs.runner.statistics, followers: jobs.log.followers,
            providers: await online.providerReports())
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

struct HealthMessage: ResponseCodable {
    var status: String
    var checks: [Check]

    struct Check: Codable {
        var name: String
        var ok: Bool
        var detail: String?
        var milliseconds: Double
    }
}
