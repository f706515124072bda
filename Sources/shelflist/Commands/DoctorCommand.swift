import ArgumentParser
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the installation.",
        discussion: "Prints a fix for every problem found. The exit code is 1 if something is broken.")

    @Option(help: "Output format.")
    var format = Format.table

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
    }

    func run() async throws {
        let checkup = await Checkup.run(environment: ProcessInfo.processInfo.environment)
        switch format {
        case .table:
            StandardStream.output.write(
                checkup.text(width: StandardStream.output.columns, colors: StandardStream.output.showsColors))
        case .json:
            StandardStream.output.write(JSONText.document(checkup))
        }
        if checkup.isBroken { throw ExitCode.failure }
    }
}
