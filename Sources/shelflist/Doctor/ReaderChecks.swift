import Foundation
import Imaging
import Lookup
import Providers
import Reading
import ShelflistAPI

extension Checkup {
    /// Checks the settings of the reader.
    static func readers(in folder: String) async -> Finding {
        do {
            return try await ModelReaders.with(data: URL(filePath: folder, directoryHint: .isDirectory)) { readers in
                guard let provider = readers.provider(for: nil) else {
                    return Finding("reader", .ok, "local: no photo leaves this machine")
                }
                let report = readers.report(on: provider)
                let detail = "\(readers.mode.rawValue): \(report.model) at \(report.host)"
                guard let problem = readers.problem(of: provider) else { return Finding("reader", .ok, detail) }
                return Finding("reader", .warning, detail, remedy: "\(problem)")
            }
        } catch {
            return Finding(
                "reader", .broken, "\(error)", remedy: "fix the setting; docs/configuration.md describes all of them.")
        }
    }

    /// Sends one request with a picture of a spine that is not the user's.
    static func answer(of provider: ModelProvider, in folder: String) async -> Finding {
        do {
            return try await ModelReaders.with(data: URL(filePath: folder, directoryHint: .isDirectory)) { readers in
                let client = try readers.probe(provider)
                let question = ModelQuestion(.sheet(spines: 1), jpeg: try testPicture())
                let start = ContinuousClock.now
                let reply = try await client.ask(question)
                let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
                let read = reply.readings.first.map { "read “\($0.title)”" } ?? "read nothing"
                let tokens = reply.inputTokens.map { "; \($0) + \(reply.outputTokens ?? 0) tokens" } ?? ""
                let detail = "\(client.settings.model) answers in \(milliseconds) ms, \(read)\(tokens)"
                let knows = reply.readings.contains { $0.title.lowercased().contains("walden") }
                guard knows else {
                    return Finding(
                        provider.title, .warning, detail + "; the picture shows “Walden”",
                        remedy: "choose a model that reads pictures: shelflist readers model \(provider.rawValue) NAME")
                }
                return Finding(provider.title, .ok, detail)
            }
        } catch let outage as UnavailableSource {
            return Finding(
                provider.title, .broken, outage.message,
                remedy: "check key, model and address: shelflist readers; docs/readers.md describes them.")
        } catch {
            return Finding(
                provider.title, .broken, "\(error)", remedy: "set the key: shelflist readers key \(provider.rawValue)")
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
