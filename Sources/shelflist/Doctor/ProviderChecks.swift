import Foundation
import Lookup
import Providers
import ShelflistAPI

extension Checkup {
    /// Checks the configuration of the providers.
    ///
    /// - Parameter online: whether to send a request to each provider that is on.
    static func providers(in folder: String, online: Bool) async -> [Finding] {
        do {
            return try await OnlineCatalogs.with(data: URL(filePath: folder, directoryHint: .isDirectory)) { catalogs in
                let findings = [settings(await catalogs.reports(), catalogs)]
                let probes = online ? await catalogs.probe() : []
                return findings + probes.map { answer($0, catalogs.mirror(of: $0.name)) }
            }
        } catch {
            return [
                Finding(
                    "providers", .broken, "\(error)",
                    remedy: "fix the setting; docs/configuration.md describes all of them.")
            ]
        }
    }

    private static func settings(_ reports: [ProviderReport], _ catalogs: OnlineCatalogs) -> Finding {
        let on = reports.filter(\.isOn)
        guard !on.isEmpty else { return Finding("providers", .ok, "none is on, so no titles are sent") }
        let names = on.map { report in
            report.name.title + (catalogs.mirror(of: report.name).map { " at \($0.absoluteString)" } ?? "")
        }
        let detail =
            "on: \(names.joined(separator: ", ")); requests are sent as \(catalogs.userAgent)"
            + (catalogs.contact == nil ? ", with the project's address because SHELFLIST_CONTACT is not set" : "")
        if let lacking = on.first(where: { $0.state == .keyNeeded }) {
            return Finding(
                "providers", .warning, "\(detail); \(lacking.name.title) has no key and is not used",
                remedy: "set one with 'shelflist providers key \(lacking.name.rawValue)', or turn it off with "
                    + "'shelflist providers off \(lacking.name.rawValue)'.")
        }
        return Finding("providers", .ok, detail)
    }

    private static func answer(_ probe: ProviderProbe, _ mirror: URL?) -> Finding {
        switch probe.outcome {
        case .success(let count):
            let records = count == 1 ? "1 record" : "\(count) records"
            let refused = probe.refusals.latest.map { "; left out: \($0)" } ?? ""
            let milliseconds = Int((probe.seconds * 1000).rounded())
            return Finding(probe.name.title, .ok, "answers in \(milliseconds) ms with \(records)\(refused)")
        case .failure(let outage):
            let address = mirror.map {
                "check \($0.absoluteString) (SHELFLIST_\(probe.name.rawValue.uppercased())_URL), or "
            }
            return Finding(
                probe.name.title, .broken, outage.message,
                remedy: "\(address ?? "check the connection, or ")turn it off with 'shelflist providers off "
                    + "\(probe.name.rawValue)'.")
        }
    }
}
