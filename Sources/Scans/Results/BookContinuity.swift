import Library
package import ShelflistAPI

/// Finds the published books of a photo among those of a new identification, which may have grouped the lines
/// otherwise.
package struct BookContinuity: Sendable {
    /// The books of the new identification, named as published where they are the same.
    package private(set) var books: [DetectedBook]
    /// The names of published books that the new identification lacks.
    package let removed: [String]
    /// How many names were given so far.
    package private(set) var named: Int

    /// - Parameters:
    ///   - named: how many names were given before, including those of removed books.
    package init(published: [DetectedBook], new: [DetectedBook], named: Int) {
        var pairs: [(likeness: Double, old: Int, new: Int)] = []
        for (place, book) in new.enumerated() {
            for (earlier, other) in published.enumerated() {
                let likeness = Self.likeness(other, book)
                if likeness > 0 { pairs.append((likeness, earlier, place)) }
            }
        }
        var taken: Set<Int> = []
        var names: [Int: String] = [:]
        for pair in pairs.sorted(by: { ($1.likeness, $0.old, $0.new) < ($0.likeness, $1.old, $1.new) })
        where names[pair.new] == nil && taken.insert(pair.old).inserted {
            names[pair.new] = published[pair.old].id
        }
        books = new
        self.named = named
        removed = published.indices.filter { !taken.contains($0) }.map { published[$0].id }
        for place in books.indices {
            if let name = names[place] {
                books[place].id = name
            } else {
                self.named += 1
                books[place].id = "book-\(self.named)"
            }
        }
    }

    /// Returns how much text and place two books share, 0...2; 0 for different spines.
    private static func likeness(_ a: DetectedBook, _ b: DetectedBook) -> Double {
        let overlap = a.boundingBox.overlap(with: b.boundingBox)
        guard overlap > 0 else { return 0 }
        var left = Dictionary(grouping: a.text, by: \.text).mapValues(\.count)
        var shared = 0
        for line in b.text where left[line.text, default: 0] > 0 {
            left[line.text, default: 0] -= 1
            shared += line.text.count
        }
        guard shared > 0 || a.boundingBox.isSameSpine(as: b.boundingBox) else { return 0 }
        let letters = max(length(a), length(b))
        return overlap + (letters == 0 ? 0 : Double(shared) / Double(letters))
    }

    private static func length(_ book: DetectedBook) -> Int { book.text.reduce(0) { $0 + $1.text.count } }
}
