import Bounds
import Foundation
import Imaging
import Lookup
import Providers
import Reading
import ShelflistAPI
import Storage

extension Checkup {
    /// Checks the settings of providers and models.
    ///
    /// - Parameters:
    ///   - online: whether to send a request to each provider that is on.
    ///   - model: is sent a picture of a spine that is not the user's; nil to ask no model.
    static func services(in folder: String, online: Bool, asking model: ModelProvider?) async -> [Finding] {
        do {
            return try await OnlineServices.with(data: URL(filePath: folder, directoryHint: .isDirectory)) { services in
                var findings = [settings(await services.providerReports(), services)]
                let probes = online ? await services.probe() : []
                findings += probes.map { answer($0, services.choice.configuration[$0.name].address) }
                findings.append(reader(services.choice))
                if let model { findings.append(await answer(of: model, services)) }
                return findings
            }
        } catch let error as StorageError {
            return [Finding("settings", .broken, error.cause, remedy: error.fix)]
        } catch {
            return [
                Finding(
                    "settings", .broken, "\(error)",
                    remedy: "fix the setting; docs/configuration.md describes all of them.")
            ]
        }
    }

    // MARK: Providers

    private static func settings(_ reports: [ServiceReport], _ services: OnlineServices) -> Finding {
        let on = reports.filter(\.isOn)
        guard !on.isEmpty else { return Finding("providers", .ok, "none is on, so no titles are sent") }
        let configuration = services.choice.configuration
        let names = ProviderName.allCases.filter(services.choice.isOn).map { name in
            name.title + (configuration[name].address.map { " at \($0.absoluteString)" } ?? "")
        }
        let detail =
            "on: \(names.joined(separator: ", ")); requests are sent as \(services.userAgent)"
            + (configuration.contact == nil ? ", with the project's address because SHELFLIST_CONTACT is not set" : "")
        if let lacking = on.first(where: { $0.state == .keyNeeded }) {
            return Finding(
                "providers", .warning, "\(detail); \(lacking.name) has no key and is not used",
                remedy: "set one with 'shelflist providers key \(lacking.id)', or turn it off with "
                    + "'shelflist providers off \(lacking.id)'.")
        }
        return Finding("providers", .ok, detail)
    }

    private static func answer(_ probe: ProviderProbe, _ mirror: URL?) -> Finding {
        switch probe.outcome {
        case .success(let count):
            let records = count == 1 ? "1 record" : "\(count) records"
            let refused = probe.refusals.latest.map { "; left out: \($0)" } ?? ""
            let milliseconds = Int(saturating: (probe.seconds * 1000).rounded())
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

    // MARK: Models

    private static func reader(_ choice: ServiceChoice) -> Finding {
        guard let model = choice.model(for: nil) else {
            return Finding("reader", .ok, "local: no photo leaves this machine")
        }
        let report = choice.report(on: model)
        let detail = "\(choice.reader.rawValue): \(report.model ?? model.model) at \(report.host)"
        guard let problem = choice.problem(of: model) else { return Finding("reader", .ok, detail) }
        return Finding("reader", .warning, detail, remedy: "\(problem)")
    }

    /// Sends one request with a picture of a spine that is not the user's.
    private static func answer(of model: ModelProvider, _ services: OnlineServices) async -> Finding {
        do {
            let client = try services.probe(model)
            let question = ModelQuestion(.sheet(spines: 1), jpeg: try testPicture())
            let start = ContinuousClock.now
            let reply = try await client.ask(question)
            let milliseconds = Int(saturating: (ContinuousClock.now - start) / .milliseconds(1))
            let read = reply.readings.first.map { "read “\($0.title)”" } ?? "read nothing"
            let tokens = reply.inputTokens.map { "; \($0) + \(reply.outputTokens ?? 0) tokens" } ?? ""
            let detail = "\(client.model) answers in \(milliseconds) ms, \(read)\(tokens)"
            guard reply.readings.contains(where: { $0.title.lowercased().contains("walden") }) else {
                return Finding(
                    model.title, .warning, detail + "; the picture shows “Walden”",
                    remedy: "choose a model that reads pictures: shelflist readers model \(model.rawValue) NAME")
            }
            return Finding(model.title, .ok, detail)
        } catch let outage as UnavailableSource {
            return Finding(
                model.title, .broken, outage.message,
                remedy: "check key, model and address: shelflist readers; docs/readers.md describes them.")
        } catch {
            return Finding(
                model.title, .broken, "\(error)", remedy: "set the key: shelflist readers key \(model.rawValue)")
        }
    }

    private static func testPicture() throws -> [UInt8] {
        let font = try Typeface(file: try Installation.locate().labelFont)
        var image = RGBImage(size: PixelSize(width: 900, height: 120))
        for (text, x) in [("1", 30.0), ("WALDEN", 130), ("HENRY DAVID THOREAU", 450)] {
            image.write(
                font.run(text, size: x == 30 ? 50 : 34), at: PixelPoint(x: x, y: 75), with: Paint(RGBColor.black))
        }
        return try JPEGCodec.encode(image, quality: 90)
    }
}
