import ArgumentParser
import Foundation
import Providers
import Terminal

struct DoctorCommand: AsyncParsableCommand, PrintsDocuments {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the installation.",
        discussion: """
            Prints a fix for every problem found. The exit code is 1 if something is broken. Nothing is sent anywhere \
            unless --online or --reader is given.
            """)

    @Flag(help: "Send one request to each provider that is on, and print what came back.")
    var online = false

    @Option(
        help: ArgumentHelp(
            "Send one request with a test picture to the model of gemini or openai, and print what came back.",
            valueName: "provider"))
    var reader: ModelProvider?

    @Option(help: "Output format.")
    var format = OutputFormat.table

    func run() async throws {
        let checkup = await Checkup.run(online: online, reader: reader)
        show(checkup) {
            checkup.lines(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
        }
        if checkup.isBroken { throw ExitCode.failure }
    }
}
