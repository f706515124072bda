import Bounds
import Foundation

/// How strongly the letters of a word and its neighbours suggest a person's name rather than a title.
///
/// A logistic regression over groups of letters, so that words of any language are judged that no list has. A group is
/// found by its hash; groups that share a hash share a weight.
enum NameLetters {
    /// Odds beyond this are equally sure.
    private static let highest = 5.0
    private static let groupLengths = 2...5

    /// Returns the log odds of each word, in nats, -5...5, that it is part of a name; 0 if the weights are damaged.
    ///
    /// O(letters).
    ///
    /// - Parameter words: folded, of one line.
    static func odds(of words: [String]) -> [Double] {
        guard let model else { return words.map { _ in 0 } }
        let words = words.map { Array($0.utf8) }
        return words.indices.map { index in
            let groups = groups(
                of: words[index], before: index > 0 ? words[index - 1] : [],
                after: index + 1 < words.count ? words[index + 1] : [])
            let sum = groups.reduce(0.0) { $0 + Double(model.weights[$1]) }
            return max(-highest, min(highest, model.bias + sum * model.scale))
        }
    }

    /// Returns the hashes of the groups of one word, each once.
    private static func groups(of word: [UInt8], before: [UInt8], after: [UInt8]) -> Set<Int> {
        var groups: Set = [
            hash("w", word), hash("<", before), hash(">", after), hash("<~", before.suffix(3)),
            hash(">~", after.suffix(3)),
        ]
        if before.count == 1 { groups.insert(hash("<1", [])) }
        if after.count == 1 { groups.insert(hash(">1", [])) }
        let bounded = Array("^".utf8) + word + Array("$".utf8)
        for length in groupLengths where length <= bounded.count {
            for start in Range(from: 0, upTo: bounded.count - length + 1) {
                groups.insert(hash("", bounded[start..<start + length]))
            }
        }
        return groups
    }

    /// Returns the place of a group in the table: FNV-1a of 32 bits, folded to 16.
    private static func hash(_ kind: StaticString, _ bytes: some Sequence<UInt8>) -> Int {
        var hash: UInt32 = 2_166_136_261
        func add(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        kind.withUTF8Buffer { $0.forEach(add) }
        bytes.forEach(add)
        return Int((hash ^ hash >> 16) & 0xFFFF)
    }

    private struct Model {
        var bias: Double
        var scale: Double
        /// 65,536, in units of `scale`.
        var weights: [Int8]
    }

    private static let model: Model? = {
        let lines = NameLetterWeights.text.split(separator: "\n")
        guard lines.count == 2, let data = Data(base64Encoded: String(lines[1])), data.count == 1 << 16 else {
            return nil
        }
        let numbers = lines[0].split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else { return nil }
        return Model(bias: numbers[0], scale: numbers[1], weights: data.map { Int8(bitPattern: $0) })
    }()
}
