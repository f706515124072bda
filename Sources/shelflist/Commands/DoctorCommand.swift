import ArgumentParser
import Foundation

struct DoctorCommand: AsyncParsableCommand, PrintsDocuments {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the installation.",
        discussion: "Prints a fix for every problem found. The exit code is 1 if something is broken.")

    @Option(help: "Output format.")
    var format = OutputFormat.table

    func run() async throws {
        let checkup = await Checkup.run(environment: ProcessInfo.processInfo.environment)
        show(checkup) {
            checkup.lines(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
        }
        if checkup.isBroken { throw ExitCode.failure }
    }
}
