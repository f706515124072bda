import Foundation
import Library
import Logging
import Lookup
import Scanning
import ServiceLifecycle

/// Maintains the jobs, and stops them before the connections, so that open event streams end.
struct JobService: Service {
    let jobs: ScanJobs
    let logger: Logger

    func run() async throws {
        let jobs = jobs
        let logger = logger
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    try await jobs.sweep()
                } catch {
                    logger.error(
                        "Job maintenance failed. The server will retry in a minute.",
                        metadata: ["error": "\(error)"])
                }
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(60)) }
            }
            await jobs.stop()
        } onGracefulShutdown: {
            Task { await jobs.stop() }
        }
    }
}

/// Deletes photos that are no longer needed, at startup and every hour.
struct PhotoCleaning: Service {
    let library: LibraryStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await cleanUp()
                // Throws when the server stops, which also ends the loop.
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }

    private func cleanUp() async {
        do {
            let report = try await library.cleanUpPhotos()
            for photo in report.deleted {
                logger.info("Photo deleted", metadata: ["file": "\(photo.file)", "reason": "\(photo.reason.rawValue)"])
            }
            for (file, reason) in report.failed {
                logger.error(
                    "Could not delete a photo. The server will retry in an hour.",
                    metadata: ["file": "\(file)", "error": "\(reason)"])
            }
        } catch {
            logger.error(
                "Could not delete old photos. The server will retry in an hour.", metadata: ["error": "\(error)"])
        }
    }
}

/// Resumes an interrupted download of the catalog, and updates a downloaded catalog monthly if the owner wants that.
struct CatalogDownloading: Service {
    let downloads: CatalogDownloads
    let library: LibraryStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await downloads.resume()
                do {
                    if try await library.updatesCatalog() { try await downloads.updateIfDue() }
                } catch {
                    logger.error(
                        "Could not update the catalog. The server will retry in an hour.",
                        metadata: ["error": "\(error)"])
                }
                // Throws when the server stops, which also ends the loop.
                try? await Task.sleep(for: .seconds(3600))
            }
        }
        await downloads.stop()
    }
}

/// Renews the certificate before it expires, and reloads it if another program has replaced it.
struct CertificateRenewal: Service {
    let certificate: ServedCertificate
    let settings: ServerSettings
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // The sleep throws when the server stops.
            while (try? await Task.sleep(for: settings.certificateCheck)) != nil {
                do {
                    try settings.renewCertificate()
                    try certificate.reload()
                } catch {
                    logger.error(
                        "Could not renew the certificate. The server will retry later.",
                        metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
