#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// Outlines of spines over a picture that fits the view.
    struct OutlinesView: View {
        /// The size of the picture, in any unit.
        let width: Double
        let height: Double
        let outlines: [UnitQuad]
        /// The index of an outline that is emphasised.
        let selection: Int?
        var select: (Int) -> Void = { _ in }

        var body: some View {
            GeometryReader { view in
                let frame = PictureFrame(
                    width: width, height: height, inWidth: Double(view.size.width), height: Double(view.size.height))
                ZStack(alignment: .topLeading) {
                    ForEach(Array(outlines.enumerated()), id: \.offset) { index, quad in
                        OutlineShape(corners: frame.corners(of: quad))
                            .stroke(
                                index == selection ? Color.orange : Color.accentColor,
                                lineWidth: index == selection ? 4 : 2)
                    }
                }
                .contentShape(Rectangle())
                .onTapGesture { location in
                    guard let point = frame.point(atX: Double(location.x), y: Double(location.y)) else { return }
                    if let hit = outlines.firstIndex(where: { $0.contains(point) }) { select(hit) }
                }
            }
            // The list beside it says the same.
            .accessibilityHidden(true)
        }
    }

    /// A closed line through corners.
    struct OutlineShape: Shape {
        let corners: [(x: Double, y: Double)]

        nonisolated func path(in rect: CGRect) -> Path {
            var path = Path()
            path.addLines(corners.map { CGPoint(x: $0.x, y: $0.y) })
            path.closeSubpath()
            return path
        }
    }
#endif
