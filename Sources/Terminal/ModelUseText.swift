import Foundation
package import ShelflistAPI

extension ModelUse {
    /// Tokens, cost and time, as a person reads them.
    package var facts: [String] {
        var facts: [String] = []
        if let inputTokens { facts.append("\(inputTokens) + \(outputTokens ?? 0) tokens") }
        if isKept {
            facts.append("kept from an earlier scan, free")
        } else {
            facts.append(cost.map { String(format: "$%.4f", $0) } ?? "price not known")
        }
        facts.append(String(format: "%.2f s", seconds))
        return facts
    }

    /// A request to a model and its result.
    var summary: String {
        let asked = spines.map { "\($0) spines sent" } ?? "whole photo sent"
        return (["\(reader) \(model)", asked, "\(named) named"] + facts).joined(separator: " · ")
    }
}
