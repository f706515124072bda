#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// Outlines of spines over a picture that fits the view.
    struct OutlinesView: View {
        /// The size of the picture, in any unit.
        let width: Double
        let height: Double
        let outlines: [UnitQuad]
        /// How sure each outline is, which is its colour; empty for the colour of the app.
        var tiers: [ConfidenceTier?] = []
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
                            .stroke(color(of: index), lineWidth: index == selection ? 4 : 2)
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

        private func color(of index: Int) -> Color {
            guard tiers.indices.contains(index), let tier = tiers[index] else { return .accentColor }
            return Color(tier.outline)
        }
    }

    /// A photo with outlines over it.
    struct PhotoWithOutlines: View {
        let image: Image
        let outlines: [UnitQuad]
        var tiers: [ConfidenceTier?] = []
        var selection: Int?
        var select: (Int) -> Void = { _ in }

        var body: some View {
            image.resizable().scaledToFit()
                .overlay {
                    GeometryReader { view in
                        OutlinesView(
                            width: Double(view.size.width), height: Double(view.size.height), outlines: outlines,
                            tiers: tiers, selection: selection, select: select)
                    }
                }
                .accessibilityLabel("Photo of the shelf")
        }
    }

    /// A photo of a scan with its outlines, which are shown alone until the photo is loaded.
    struct ScanPhotoView: View {
        let scan: ScanOutlines
        let pictures: PictureModel
        var selection: Int?
        var select: (Int) -> Void = { _ in }

        var body: some View {
            Group {
                if let data = pictures.picture(scan.path), let image = Image(jpeg: data) {
                    PhotoWithOutlines(
                        image: image, outlines: scan.outlines, tiers: scan.tiers, selection: selection, select: select)
                } else if !scan.outlines.isEmpty {
                    OutlinesView(
                        width: 4, height: 3, outlines: scan.outlines, tiers: scan.tiers, selection: selection,
                        select: select
                    )
                    .frame(height: 160)
                }
            }
            .task(id: scan.path) { await pictures.load(scan.path) }
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
