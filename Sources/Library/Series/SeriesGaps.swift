import Bibliography
import Bounds

/// The volumes of a series that are missing.
enum SeriesGaps {
    /// The highest number of a volume that can be missing.
    static let volumeLimit = 1000
    /// Series of publishers count thousands of books, which no library has all of.
    ///
    /// Unless the number of volumes is known, nothing is missing if more than three volumes are for each that is there, and
    /// more than nine.
    private static let mostForEach = 3
    private static let mostAtAll = 9

    /// - Parameters:
    ///   - owned: the numbers of the books that the library has.
    ///   - wished: those on the wish list.
    ///   - volumes: how many there are; nil to count to the highest that is owned.
    static func missing(owned: [SeriesNumber], wished: [SeriesNumber], volumes: Int?) -> [Int] {
        guard let highest = volumes ?? owned.compactMap({ $0.volumes?.upperBound }).max(), highest <= volumeLimit else {
            return []
        }
        var there: Set<Int> = []
        for number in owned + wished {
            guard let range = number.volumes else { continue }
            there.formUnion(Range(from: range.lowerBound, upTo: min(range.upperBound, highest) + 1))
        }
        let missing = Range(from: 1, upTo: highest + 1).filter { !there.contains($0) }
        let most = max(mostAtAll, mostForEach * owned.count)
        return volumes == nil && missing.count > most ? [] : missing
    }
}
