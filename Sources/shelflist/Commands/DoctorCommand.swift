import ArgumentParser
import Foundation

struct DoctorCommand: AsyncParsableCommand, PrintsDocuments {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the installation.",
        discussion: """
            Prints a fix for every problem found. The exit code is 1 if something is broken. Nothing is sent anywhere \
            unless --online is given.
            """)

    @Flag(help: "Send one request to each provider that is on, and print what came back.")
    var online = false

    @Option(help: "Output format.")
    var format = OutputFormat.table

    func run() async throws {
        let checkup = await Checkup.run(online: online)
        show(checkup) {
            checkup.lines(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
        }
        if checkup.isBroken { throw ExitCode.failure }
    }
}
