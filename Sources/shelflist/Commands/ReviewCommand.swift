import ArgumentParser

struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Review books that were not recognised with confidence.",
        discussion: "Without a subcommand, on a terminal: shows one spine at a time, with one key per decision.",
        subcommands: [
            ReviewSessionCommand.self, ReviewListCommand.self, ReviewVerifyCommand.self, ReviewCorrectCommand.self,
            ReviewRejectCommand.self, ReviewMatchCommand.self, ReviewUndoCommand.self, ReviewAutomaticCommand.self,
            ReviewStatsCommand.self,
            ReviewCropCommand.self, ReviewRecropCommand.self, ReviewReportCommand.self,
        ], defaultSubcommand: ReviewSessionCommand.self)
}
