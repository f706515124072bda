import Bounds

/// Decodes the recogniser's probabilities to text by greedy CTC decoding (Graves et al., 2006): the likeliest class
/// at each step, with repeats joined and blanks dropped.
///
/// Also recovers spaces: on tightly set spines the model prefers the blank over a visible gap.
package struct CTCDecoder: Sendable {
    /// Between two characters, a blank whose step gives the space at least this probability becomes a space.
    package var spaceThreshold: Float = 0.1

    /// Class 0 is the blank, followed by the model's characters and the space.
    private let characters: [String]

    /// - Parameter characterList: the model's characters, one per line, in class order.
    package init(characterList: String) {
        var list = characterList.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if list.last == "" { list.removeLast() }
        characters = [""] + list + [" "]
    }

    package var classCount: Int { characters.count }

    /// - Parameters:
    ///   - probabilities: `steps` rows of `classes` values that sum to 1.
    /// - Returns: the text without spaces at its ends, the mean probability of its characters (0 for no text), and the
    ///   steps of the characters of each word.
    package func decode(_ probabilities: UnsafeBufferPointer<Float>, steps: Int, classes: Int) -> (
        text: String, score: Double, words: [[Int]]
    ) {
        var text = ""
        var words: [[Int]] = []
        var total = 0.0
        var count = 0
        var previous = 0
        for step in 0..<steps {
            let row = UnsafeBufferPointer(rebasing: probabilities[(step * classes)..<((step + 1) * classes)])
            var best = row.indexOfGreatest
            if best == 0, row[classes - 1] >= spaceThreshold { best = classes - 1 }
            if best != previous, best != 0, best < characters.count, !(best == classes - 1 && text.last == " ") {
                if best != classes - 1 {
                    if text.isEmpty || text.last == " " { words.append([]) }
                    words[words.endIndex - 1].append(step)
                    // A recovered space does not say how well the characters were read.
                    total += Double(row[best])
                    count += 1
                }
                text += characters[best]
            }
            previous = best
        }
        let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        return (trimmed, count > 0 ? total / Double(count) : 0, words)
    }
}

extension UnsafeBufferPointer<Float> {
    /// Index of the first greatest value.
    ///
    /// There are 18,710 classes at each of thousands of steps, so the greatest value is found sixteen lanes at a
    /// time, and only the block that contains it is searched for its index. `pointwiseMax` would compare lane by
    /// lane.
    package var indexOfGreatest: Int {
        guard count > 0, let start = UnsafeRawPointer(baseAddress) else { return 0 }
        let blockSize = 512
        let whole = count / blockSize * blockSize
        var greatest = -Float.infinity
        var index = 0
        for block in stride(from: 0, to: whole, by: blockSize) {
            var lanes = SIMD16<Float>(repeating: -.infinity)
            for i in stride(from: block, to: block + blockSize, by: 16) {
                let values = start.loadUnaligned(
                    fromByteOffset: i * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
                lanes.replace(with: values, where: values .> lanes)
            }
            let most = lanes.max()
            if most > greatest { (greatest, index) = (most, block) }
        }
        while self[index] < greatest { index += 1 }
        for i in Range(from: whole, upTo: count) where self[i] > greatest { (greatest, index) = (self[i], i) }
        return index
    }
}
