/// One spine in one photo of a shelf.
struct SpineSighting {
    var entry: RowID<LibraryEntry>
    /// The number of scans of the shelf after the one that saw the spine; 0 is the latest.
    var scan: Int
    var photo: RowID<Photo>
    /// The middle of the spine, as a fraction of the photo's width.
    var middle: Double
}

/// Joins the rows of spines in a shelf's photos to the shelf's boards.
///
/// Rows are joined by the copies that both show. Each copy has one place.
struct ShelfJoining {
    struct Place {
        var sighting: SpineSighting
        /// Whether a later scan shows this place without the copy.
        var isGap: Bool
    }

    /// From top to bottom; each board from left to right.
    private(set) var boards: [[Place]] = []
    private var placed: Set<RowID<LibraryEntry>> = []

    /// The same copy in a row and on a board, as their indices.
    private struct Anchor {
        var row: Int
        var board: Int
    }

    /// Adds a row from left to right.
    ///
    /// Rows of later scans have to be added before those of earlier ones, and rows of one scan from top to bottom.
    mutating func add(_ row: [SpineSighting]) {
        var seen: Set<RowID<LibraryEntry>> = []
        let row = row.filter { seen.insert($0.entry).inserted }
        let candidates = boards.indices.map { (board: $0, anchors: Self.anchors(row, boards[$0])) }
        let best = candidates.max { $0.anchors.count < $1.anchors.count }
        if let best, Self.joins(row, boards[best.board], best.anchors) {
            join(row, to: best.board, best.anchors)
        } else {
            let new = row.filter { placed.insert($0.entry).inserted }
            if !new.isEmpty { boards.append(new.map { Place(sighting: $0, isGap: false) }) }
        }
    }

    // MARK: Matching

    /// Returns the longest series of shared copies that are in the same order on both.
    private static func anchors(_ row: [SpineSighting], _ board: [Place]) -> [Anchor] {
        let places = Dictionary(
            board.enumerated().map { ($1.sighting.entry, $0) }, uniquingKeysWith: { first, _ in first })
        let shared = row.indices.compactMap { index in
            places[row[index].entry].map { Anchor(row: index, board: $0) }
        }
        // The longest increasing subsequence by the place on the board; quadratic, for at most some hundred spines.
        var best: [[Anchor]] = []
        for anchor in shared {
            let before = best.filter { ($0.last?.board ?? 0) < anchor.board }.max { $0.count < $1.count } ?? []
            best.append(before + [anchor])
        }
        return best.max { $0.count < $1.count } ?? []
    }

    /// Whether a row and a board show the same books.
    ///
    /// In one scan, several shared copies are enough, or one where both ends meet: a misread spine must not join two
    /// boards. In different scans, copies of the same titles can stand on both boards, so most spines have to agree: of
    /// the shorter one, or of the ends that overlap. Joining the boards of two shelves would make one of them missing.
    private static func joins(_ row: [SpineSighting], _ board: [Place], _ anchors: [Anchor]) -> Bool {
        guard let first = anchors.first, let last = anchors.last, let scan = row.first?.scan else { return false }
        let isOneScan = board.allSatisfy { $0.sighting.scan == scan }
        if row.count == 1 || isOneScan && (anchors.count > 1 || board.count == 1) { return true }
        guard anchors.count > 1 || isOneScan else { return false }
        let overlaps = [
            min(row.count, board.count),
            max(row.count - first.row, last.board + 1),
            max(last.row + 1, board.count - first.board),
        ]
        return overlaps.contains { 2 * anchors.count > $0 }
    }

    // MARK: Joining

    private mutating func join(_ row: [SpineSighting], to index: Int, _ anchors: [Anchor]) {
        let board = boards[index]
        // The spines to insert before each place of the board; the last element follows the board.
        var inserted = [[Place]](repeating: [], count: board.count + 1)
        var next = 0
        for (position, spine) in row.enumerated() {
            if next < anchors.count, anchors[next].row == position {
                next += 1
                continue
            }
            guard placed.insert(spine.entry).inserted else { continue }
            let left = next > 0 ? anchors[next - 1] : nil
            let right = next < anchors.count ? anchors[next] : nil
            guard let near = left ?? right else { continue }
            let isShown = left != nil && right != nil || shows(board, spine, row, near, anchors, isRight: left != nil)
            let place = Place(sighting: spine, isGap: isShown && board[near.board].sighting.scan < spine.scan)
            switch (left, isShown) {
            case (let left?, true): inserted[left.board + 1].append(place)
            case (_?, false): inserted[board.count].append(place)
            case (nil, true): inserted[near.board].append(place)
            case (nil, false): inserted[0].append(place)
            }
        }
        boards[index] = board.indices.flatMap { inserted[$0] + [board[$0]] } + inserted[board.count]
    }

    /// Whether the board's photos show the place of a spine beyond the outermost shared copy.
    ///
    /// - Parameters:
    ///   - near: the outermost shared copy on that side.
    ///   - isRight: whether the spine is to the right of it.
    private func shows(
        _ board: [Place], _ spine: SpineSighting, _ row: [SpineSighting], _ near: Anchor, _ anchors: [Anchor],
        isRight: Bool
    ) -> Bool {
        let beyond = isRight ? board[(near.board + 1)...] : board[..<near.board]
        if beyond.contains(where: { $0.sighting.scan < spine.scan && !$0.isGap }) { return true }
        let known = board[near.board].sighting
        let distance = spine.middle - row[near.row].middle
        return (0...1).contains(known.middle + distance * scale(board, row, known, anchors))
    }

    /// Returns the width of the row's photo as a fraction of the width of the board's photo that shows `known`.
    private func scale(
        _ board: [Place], _ row: [SpineSighting], _ known: SpineSighting, _ anchors: [Anchor]
    ) -> Double {
        let same = anchors.filter { board[$0.board].sighting.photo == known.photo }
        guard let first = same.first, let last = same.last else { return 1 }
        let inRow = row[last.row].middle - row[first.row].middle
        let onBoard = board[last.board].sighting.middle - board[first.board].sighting.middle
        return inRow > 0 && onBoard > 0 ? onBoard / inRow : 1
    }
}
