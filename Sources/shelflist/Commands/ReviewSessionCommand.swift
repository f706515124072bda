import ArgumentParser
import Foundation
import Terminal

struct ReviewSessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Review the queue on the terminal, one spine at a time.")

    @OptionGroup var place: PlaceOptions

    func run() async throws {
        guard isatty(STDIN_FILENO) == 1, StandardStream.output.isInteractive else {
            StandardStream.warn(
                "This needs a terminal. Without one, use: shelflist review list, verify, correct, reject.")
            throw ExitCode(2)
        }
        try await place.withClient { client in
            var session = ReviewSession(client: client)
            try await session.run()
        }
    }
}
