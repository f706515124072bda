import ArgumentParser
import Foundation
import Library
import Providers
import Server
import Terminal

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check that the server of this machine answers.",
        discussion: """
            Asks the server that last ran with the data folder for /health, at its own address and base path, over HTTP or \
            HTTPS. The exit code is 0 if it is healthy, else 1. For the health checks of containers.
            """)

    @OptionGroup var data: DataOptions

    private static let seconds = 10.0

    func run() async throws {
        try await reportingErrors {
            let folder = data.folder.url
            guard let address = ServerAddress.local(in: folder), let url = URL(string: address + "/health") else {
                throw CommandError("No server has run with \(folder.path). Start it: shelflist serve")
            }
            // The certificate is for the names by which other machines know this one.
            let transport = HTTPTransport(verifiesCertificates: false)
            let response: HTTPTransport.Response
            do {
                response = try await transport.get(url, headers: [:], seconds: Self.seconds, limit: 65_536)
            } catch {
                await transport.close()
                throw CommandError("The server does not answer at \(url.absoluteString). Start it: shelflist serve")
            }
            await transport.close()
            guard response.status == 200 else {
                throw CommandError(
                    "The server at \(url.absoluteString) is not healthy (status \(response.status)). Its log has the reason."
                )
            }
            StandardStream.output.write("The server at \(url.absoluteString) is healthy.\n")
        }
    }
}
