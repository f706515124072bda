import ArgumentParser

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Download, import, search and describe the catalog.",
        subcommands: [
            CatalogGetCommand.self, CatalogUpdateCommand.self, CatalogImportCommand.self, CatalogSearchCommand.self,
            CatalogMatchCommand.self, CatalogInfoCommand.self,
        ])
}
