import ArgumentParser

struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "List, find, add, import and export the books of the library.",
        subcommands: [
            LibraryListCommand.self, LibraryShowCommand.self, LibraryFindCommand.self, LibraryOwnCommand.self,
            LibraryAddCommand.self, LibraryEditCommand.self, LibraryLoansCommand.self, LibrarySeriesCommand.self,
            LibraryRemoveCommand.self, LibraryImportCommand.self,
            LibraryExportCommand.self,
            LibraryDuplicatesCommand.self, LibraryShelvesCommand.self, LibraryLabelsCommand.self,
            LibrarySignsCommand.self,
            LibraryInventoryCommand.self, LibraryStocktakeCommand.self, LibraryValueCommand.self,
            LibraryStatsCommand.self,
            LibraryEnrichCommand.self, LibraryCleanUpCommand.self, LibrarySettingsCommand.self,
            LibraryCheckCommand.self,
        ], defaultSubcommand: LibraryListCommand.self)
}
