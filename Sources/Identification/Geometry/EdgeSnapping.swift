import Imaging
import SpineReading

/// Moves the guessed ends and sides of a spine to edges that the photo shows near them.
struct EdgeSnapping {
    let edges: ShelfEdges
    let body: SpineOutline.Body

    /// The foot moves to the board the book stands on, the head to the highest edge across the spine.
    func along(_ guess: ClosedRange<Double>, across: ClosedRange<Double>) -> ClosedRange<Double> {
        guard body.isStanding else { return guess }
        let length = body.along.length
        let width = min(across.length, length)
        func x(at y: Double) -> Double { across.middle + body.acrossShift(at: y) }
        let bottom = body.along.upperBound
        let foot = ShelfBoards.edge(
            from: bottom, to: max(guess.upperBound, bottom) + 0.25 * length, around: x(at: bottom), width: 0.7 * width,
            edges)

        let top = body.along.lowerBound
        let limit = min(guess.lowerBound, top) - 0.12 * length
        let step = max(2, 0.004 * length)
        var head: Double?
        for y in stride(from: top - 0.01 * length, through: limit, by: -step) {
            let half = 0.35 * width
            let share = edges.share(
                from: PixelPoint(x: x(at: y) - half, y: y), to: PixelPoint(x: x(at: y) + half, y: y), slack: step / 2,
                atLeast: 0.85)
            if share >= 0.85 { head = y }
            // Beyond the board above stand other books.
            if ShelfBoards.edge(from: y, to: y, around: x(at: y), width: 0.7 * width, edges) != nil { break }
        }
        let newFoot = max(foot ?? guess.upperBound, bottom)
        let newHead = min(head ?? guess.lowerBound, top)
        return newHead...max(newFoot, newHead + 1)
    }

    /// Each side moves to the clearest edge along the spine between its text and a little beyond the guess.
    func across(_ guess: ClosedRange<Double>, along: ClosedRange<Double>) -> ClosedRange<Double> {
        let low = side(from: body.across.lowerBound, guess: guess.lowerBound, along: along)
        let high = side(from: body.across.upperBound, guess: guess.upperBound, along: along)
        return min(low, body.across.lowerBound)...max(high, body.across.upperBound)
    }

    private func side(from text: Double, guess: Double, along: ClosedRange<Double>) -> Double {
        let distance = guess - text
        guard abs(distance) > 2 else { return guess }
        // The ends are left out: corners are round, and heads differ.
        let (start, end) = (along.lowerBound + 0.15 * along.length, along.upperBound - 0.1 * along.length)
        let steps = 24
        var best = (position: guess, share: 0.6)
        for step in 1...steps {
            let position = text + distance * 1.5 * Double(step) / Double(steps)
            let share = edges.share(
                from: point(position, start), to: point(position, end), slack: abs(distance) / Double(steps),
                atLeast: best.share)
            if share > best.share { best = (position, share) }
        }
        return best.position
    }

    private func point(_ across: Double, _ along: Double) -> PixelPoint {
        let shifted = across + body.acrossShift(at: along)
        return body.isStanding ? PixelPoint(x: shifted, y: along) : PixelPoint(x: along, y: shifted)
    }
}
