/// Finds text of a spine that was grouped apart from the rest: a name, an imprint or an edition at its head or foot, a word
/// or two of its title, or text as wide as the spine's right beside it.
///
/// The numbers separate the pairs of groups on the labelled photos: of those that satisfy them, all whose spine is known
/// are of one spine.
struct SpineFragments {
    /// The share of a fragment's width that the text of its spine covers.
    private static let sharedWidth = 0.9
    /// A fragment is at least this wide, relative to the text of its spine; narrower text between two spines is on either.
    private static let leastWidth = 0.3
    /// The largest distance along the spine, relative to the length of its text: of names, imprints and numbers, and of
    /// other words, which may be a title of their own.
    private static let (reach, reachOfTitle) = (0.5, 0.15)
    private static let mostTitleWords = 3
    /// Longer text is a fragment if it is at least this wide, relative to the text of its spine.
    private static let widthOfText = 0.8
    /// Text with fewer letters is not the title to which names belong.
    private static let leastTitleLetters = 4

    private struct Group {
        let lines: [UprightLine]
        let frame: UprightLine
        /// The area of its letters, in relative units.
        let size: Double
        let letters: Int
        let height: Double
        /// Text that is only imprints and numbers (0) or names (1) belongs to other text (2), however large it is.
        let rank: Int
        let isShort: Bool
        let isUpright: Bool

        init?(_ all: [UprightLine]) {
            let clear = all.filter { $0.words.joined().count > 2 }
            lines = clear.isEmpty ? all : clear
            guard let longest = lines.max(by: { $0.length < $1.length }) else { return nil }
            frame = longest
            size = lines.reduce(0) { $0 + $1.height * Double($1.words.joined().count) }
            letters = lines.reduce(0) { $0 + $1.words.joined().count }
            height = lines.map(\.height).max() ?? 0
            rank = SpineFragments.rank(lines)
            isShort = lines.reduce(0) { $0 + $1.words.count } <= SpineFragments.mostTitleWords
            isUpright = lines.allSatisfy { !$0.isVertical }
        }

        /// How far the spine may be, relative to the length of its text.
        func reach(to spine: Group) -> Double {
            // On a standing spine, a short line across it has no room for the rest of another title.
            let isAcross = isShort && isUpright && spine.frame.isVertical
            return rank < 2 || isAcross ? SpineFragments.reach : SpineFragments.reachOfTitle
        }

        /// Whether this may be a fragment of the other: by kind, else by size.
        func isSmaller(than spine: Group) -> Bool {
            guard rank != spine.rank else { return size < spine.size }
            return rank < spine.rank
                && (size < spine.size || spine.letters >= SpineFragments.leastTitleLetters && spine.height >= height)
        }

        func extents(in frame: UprightLine) -> (along: ClosedRange<Double>, across: ClosedRange<Double>) {
            let extents = lines.map { $0.extents(in: frame) }
            return extents.dropFirst().reduce(extents[0]) { ($0.along.union($1.along), $0.across.union($1.across)) }
        }
    }

    /// Returns the index of the spine that each fragment belongs to; other spines are not among the keys.
    ///
    /// The spine may itself be a fragment of a larger one. O(spines² × lines).
    ///
    /// - Parameter isFixed: whether a spine is not a fragment, because a record explains it.
    /// - Throws: `IdentificationError.tooMuchText`.
    static func owners(
        of spines: [[UprightLine]], effort: IdentificationEffort, isFixed: (Int) -> Bool
    ) throws -> [Int: Int] {
        let groups = spines.map(Group.init)
        let lines = spines.reduce(0) { $0 + $1.count }
        var owners: [Int: Int] = [:]
        for (index, fragment) in groups.enumerated() where !isFixed(index) {
            guard let fragment else { continue }
            var nearest: (owner: Int, gap: Double)?
            try effort.spend(3 * lines + groups.count * 3 * fragment.lines.count)
            for (owner, spine) in groups.enumerated() where owner != index {
                guard let spine, fragment.isSmaller(than: spine), let gap = gap(from: fragment, to: spine),
                    gap < nearest?.gap ?? .infinity
                else { continue }
                try effort.spend(3 * lines)
                let others = groups.indices.lazy.filter { $0 != index && $0 != owner }.compactMap { groups[$0] }
                if !isSeparated(fragment, spine, by: others) { nearest = (owner, gap) }
            }
            owners[index] = nearest?.owner
        }
        return owners
    }

    /// Returns the distance along the spine relative to the length of its text; nil if the fragment is not in line with
    /// it, or too far.
    private static func gap(from fragment: Group, to spine: Group) -> Double? {
        let (own, its) = (spine.extents(in: spine.frame), fragment.extents(in: spine.frame))
        let gap = own.along.gap(to: its.along) / max(1, own.along.length)
        let shared = own.across.sharedLength(with: its.across)
        let leastShare = fragment.rank < 2 || fragment.isShort ? leastWidth : widthOfText
        guard gap <= fragment.reach(to: spine),
            shared >= sharedWidth * min(its.across.length, own.across.length),
            shared >= leastShare * max(its.across.length, own.across.length),
            own.along.sharedLength(with: its.along) < 0.1 * its.along.length
        else { return nil }
        return gap
    }

    /// Whether a line of another spine is between both.
    private static func isSeparated(_ fragment: Group, _ spine: Group, by others: some Sequence<Group>) -> Bool {
        let (own, its) = (spine.extents(in: spine.frame), fragment.extents(in: spine.frame))
        let (start, end) = (
            min(own.along.upperBound, its.along.upperBound), max(own.along.lowerBound, its.along.lowerBound)
        )
        guard start < end else { return false }
        return others.contains { other in
            other.lines.contains { line in
                let extents = line.extents(in: spine.frame)
                let narrower = min(extents.across.length, own.across.length)
                return extents.along.lowerBound >= start - 1 && extents.along.upperBound <= end + 1
                    && extents.across.sharedLength(with: own.across) > 0.3 * narrower
            }
        }
    }

    /// 0 for text that is only imprints and numbers, 1 for names, 2 for other text.
    private static func rank(_ lines: [UprightLine]) -> Int {
        let isBeside = lines.allSatisfy { line in
            BookText.isBesideTitle(line.words) || line.words.count > 1 && Publishers.isOrganisation(line.words)
        }
        if isBeside || Publishers.areOnly(lines.flatMap(\.words)) { return 0 }
        return NameWords.areNames(lines.map(\.words)) ? 1 : 2
    }
}
