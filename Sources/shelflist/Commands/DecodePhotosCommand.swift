import ArgumentParser
import Imaging

/// Decodes photos for a server that started this process.
struct DecodePhotosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-photos", abstract: "Decodes photos for a server that started this process.",
        shouldDisplay: false)

    @Option(help: "Address space for one photo, in bytes.")
    var memory = 1 << 30

    @Flag(help: "Show what this process can still do.")
    var check = false

    func run() {
        if check { DecodingWorker.check() } else { DecodingWorker.run(memory: memory) }
    }
}
