public import ArgumentParser
public import Bibliography
package import Library

extension RowID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension ReadingStatus: ExpressibleByArgument {}
extension Ownership: ExpressibleByArgument {}
extension ConfidenceTier: ExpressibleByArgument {}
extension SearchScope: ExpressibleByArgument {}

extension Int {
    func checkAsLimit() throws {
        if self < 1 { throw ValidationError("--limit is \(self). Choose 1 or more.") }
    }
}
