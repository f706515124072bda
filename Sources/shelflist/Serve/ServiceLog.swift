import Imaging
import Logging
import Server
import Terminal

/// What the commands that run for long share.
enum ServiceLog {
    /// - Parameters:
    ///   - level: a level of swift-log.
    ///   - format: `text` or `json`.
    static func logger(level: String, format: String) -> Logger {
        var logger = Logger(label: "shelflist") { label in
            LineLogHandler(label: label, format: LineLogHandler.Format(rawValue: format) ?? .text)
        }
        logger.logLevel = Logger.Level(rawValue: level) ?? .info
        return logger
    }

    /// Lets photos be decoded in confined processes from now on.
    ///
    /// - Parameter required: whether a confinement that is not complete is an error.
    /// - Returns: the processes, to close at the end.
    /// - Throws: errors of starting them, `CommandError`.
    static func confineDecoding(_ logger: Logger, required: Bool) throws -> DecoderProcesses {
        let decoders = DecoderProcesses { event in
            switch event {
            case .unconfined(let gaps):
                logger.warning(
                    "This system does not confine the process that decodes photos completely",
                    metadata: ["missing": "\(list(gaps))"])
            case .failed(let reason):
                logger.warning("A process that decodes photos was replaced", metadata: ["reason": "\(reason)"])
            }
        }
        let gaps = try decoders.prepare().gaps
        guard gaps.isEmpty || !required else {
            decoders.close()
            throw CommandError(
                "This system does not confine the process that decodes photos completely. Missing: \(list(gaps)). "
                    + "docs/operations.md says how to allow it. To start without it, leave out --require-confinement, "
                    + "or set SHELFLIST_REQUIRE_CONFINEMENT=false.")
        }
        DecoderProcesses.shared = decoders
        return decoders
    }

    private static func list(_ gaps: [Confinement.Gap]) -> String {
        gaps.map(\.description).joined(separator: "; ")
    }
}
