import Terminal

/// The result of `shelflist doctor`.
package struct Checkup: Encodable, Sendable {
    package struct Finding: Encodable, Sendable {
        package enum Status: String, Encodable, Sendable {
            case ok
            /// Works, but not for long or not well.
            case warning
            case broken
        }

        package var name: String
        package var status: Status
        package var detail: String
        /// How to fix the problem, if the status is not `ok`.
        package var remedy: String?

        package init(_ name: String, _ status: Status, _ detail: String, remedy: String? = nil) {
            (self.name, self.status, self.detail, self.remedy) = (name, status, detail, remedy)
        }
    }

    package var version: String
    package var checks: [Finding]

    package init(version: String, checks: [Finding]) { (self.version, self.checks) = (version, checks) }

    package var isBroken: Bool { checks.contains { $0.status == .broken } }

    /// One line per finding, followed by its fix.
    package func lines(width: Int?, colors: Bool) -> [String] {
        let nameWidth = checks.map { TerminalText.width($0.name) }.max() ?? 0
        let room = width.map { max(20, $0 - nameWidth - 4) }
        let indentation = String(repeating: " ", count: nameWidth + 4)
        let lines = checks.flatMap { check in
            let style: TextStyle = [.ok: .green, .warning: .yellow, .broken: .red][check.status] ?? .plain
            let mark = [.ok: "✓", .warning: "!", .broken: "✗"][check.status] ?? " "
            let padding = String(repeating: " ", count: nameWidth - TerminalText.width(check.name))
            let details = TerminalText.wrapped(TerminalText.safe(check.detail), to: room)
            let remedy = check.remedy.map { TerminalText.wrapped("Fix: " + TerminalText.safe($0), to: room) }
            return [style.applied(to: mark, colors: colors) + " " + check.name + padding + "  " + (details.first ?? "")]
                + details.dropFirst().map { indentation + $0 }
                + (remedy ?? []).map { indentation + TextStyle.yellow.applied(to: $0, colors: colors) }
        }
        let verdict =
            isBroken
            ? TextStyle.bold.applied(to: "Something is broken: see the fixes above.", colors: colors)
            : "Everything is in place."
        return ["shelflist \(version)", ""] + lines + ["", verdict]
    }
}
