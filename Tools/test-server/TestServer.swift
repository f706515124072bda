import ArgumentParser

/// The complete server for tests of the web app and of the older apps: reads recorded photos, and fails on command.
@main
struct TestServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-server",
        abstract: "Serve the web app and the API with recorded photos.",
        subcommands: [Serve.self, Record.self], defaultSubcommand: Serve.self)
}
