import Bibliography
import SpineReading

/// The words of a line.
struct LineWords: Sendable {
    let folded: [FoldedWord]
    /// The cost of each word if no record explains it.
    let weights: [Double]

    init(_ line: UprightLine, weights: WordWeights) throws {
        let isPublisher = Publishers.isPublisher(line.words)
        folded = line.words.map { FoldedWord($0) }
        self.weights = try line.words.map { word in
            var weight = min(7, try weights.weight(of: word).evidence)
            // A word that no record contains was probably misread, or its book is not in any catalog.
            if weight >= 7 { weight = 5 }
            if word.allSatisfy(\.isNumber) || word.comparedCount <= 2 { weight = min(weight, 1) }
            if isPublisher { weight *= 0.15 } else if Publishers.isPublisherWord(word) { weight *= 0.5 }
            return weight * line.line.score * line.line.score
        }
    }
}
