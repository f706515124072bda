import ArgumentParser
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check that everything Shelflist needs is in place.",
        discussion: "What is missing or broken is told with its remedy; the exit code is then 1.")

    @Option(help: "What to print.")
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
