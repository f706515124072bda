public import ArgumentParser
public import Bibliography
package import Library
public import ShelflistAPI

extension RowID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension ReadingStatus: ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument == "to-read" ? "toRead" : argument) }

    public static var allValueStrings: [String] { allCases.map(\.word) }

    /// As it is written on the command line.
    var word: String { self == .toRead ? "to-read" : rawValue }
}

extension Ownership: ExpressibleByArgument {}
extension CopyCondition: ExpressibleByArgument {}
extension InboxKind: ExpressibleByArgument {}
extension LabelKind: ExpressibleByArgument {}
extension LabelSheet: ExpressibleByArgument {}
extension LibraryQuery.Sort: ExpressibleByArgument {}
extension ConfidenceTier: ExpressibleByArgument {}
extension SearchScope: ExpressibleByArgument {}
extension SpineProblem: ExpressibleByArgument {}
extension SpineTurn: ExpressibleByArgument {}

extension Int {
    func checkAsLimit() throws {
        if self < 1 { throw ValidationError("--limit is \(self). Choose 1 or more.") }
    }
}
