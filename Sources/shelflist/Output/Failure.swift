import Foundation

/// How a failure is told: `shelflist: WHERE: what happened and what to do`, on one line.
enum Failure {
    static func line(for subject: String?, _ error: any Error) -> String {
        let message = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
        let subject = subject.map { $0 + ": " } ?? ""
        return "shelflist: " + TerminalText.safe(subject + message) + "\n"
    }
}
