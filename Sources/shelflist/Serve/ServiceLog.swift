import Imaging
import Logging
import Server

/// What the commands that run for long share.
enum ServiceLog {
    /// - Parameters:
    ///   - level: a level of swift-log.
    ///   - format: `text` or `json`.
    static func logger(level: String, format: String) -> Logger {
        var logger = Logger(label: "shelflist") { label -> any LogHandler in
            if format == "json" { return JSONLogHandler(label: label) }
            return StreamLogHandler.standardError(label: label)
        }
        logger.logLevel = Logger.Level(rawValue: level) ?? .info
        return logger
    }

    /// Lets photos be decoded in confined processes from now on.
    ///
    /// - Returns: the processes, to close at the end.
    /// - Throws: errors of starting them.
    static func confineDecoding(_ logger: Logger) throws -> DecoderProcesses {
        let decoders = DecoderProcesses { event in
            switch event {
            case .unconfined:
                logger.warning("This system does not confine the process that decodes photos: seccomp is not available")
            case .failed(let reason):
                logger.warning("A process that decodes photos was replaced", metadata: ["reason": "\(reason)"])
            }
        }
        try decoders.prepare()
        DecoderProcesses.shared = decoders
        return decoders
    }
}
