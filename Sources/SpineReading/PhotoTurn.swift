import Foundation
public import Imaging

/// Finds out whether a photo is stored turned, from the directions in which its lines run.
public enum PhotoTurn {
    /// How often lines of a shelf that stands upright run in each direction.
    ///
    /// Spines mostly run down (English) or up (French, German, Spanish), wide ones and stacks are upright;
    /// upside-down text is rare.
    private static let shelves: [[ReadingDirection: Double]] = [
        [.topToBottom: 0.75, .bottomToTop: 0.08, .upright: 0.12, .upsideDown: 0.05],
        [.topToBottom: 0.08, .bottomToTop: 0.75, .upright: 0.12, .upsideDown: 0.05],
        [.topToBottom: 0.40, .bottomToTop: 0.30, .upright: 0.25, .upsideDown: 0.05],
        // A stack of lying books.
        [.topToBottom: 0.08, .bottomToTop: 0.05, .upright: 0.82, .upsideDown: 0.05],
    ]

    /// A turned photo is the exception and needs this much evidence: natural logarithm of the odds.
    private static let requiredEvidence = 12.0

    /// By how much, clockwise, the photo has to be turned so that the shelf stands upright; the likeliest
    /// turn where the lines leave little doubt, else `none`.
    public static func estimate(from lines: [TextLine]) -> QuarterTurn {
        let clear = lines.filter { $0.score >= 0.8 && $0.text.count >= 4 }
        func logLikelihood(_ turn: QuarterTurn) -> Double {
            shelves.map { shelf in
                clear.reduce(0) { $0 + log(shelf[$1.direction.turned(turn)] ?? 0.01) }
            }.max() ?? 0
        }
        let asStored = logLikelihood(.none)
        let best = QuarterTurn.allCases.max { logLikelihood($0) < logLikelihood($1) } ?? .none
        return logLikelihood(best) - asStored >= requiredEvidence ? best : .none
    }
}
