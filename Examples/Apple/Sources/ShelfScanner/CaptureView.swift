#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The camera with its guidance, the photo that was just taken, and the batch.
    struct CaptureView: View {
        let session: Session

        var body: some View {
            VStack {
                if let jpeg = session.capture.pending {
                    PendingPhotoView(capture: session.capture, jpeg: jpeg)
                } else {
                    viewfinder
                }
                if let message = session.capture.message { Text(message).foregroundStyle(.red) }
                BatchView(capture: session.capture)
                actions
            }
        }

        private var viewfinder: some View {
            ZStack(alignment: .top) {
                CameraView(capture: session.capture)
                if let preview = session.capture.preview {
                    OutlinesView(
                        width: Double(preview.width), height: Double(preview.height),
                        outlines: preview.spines.map(\.quad),
                        selection: nil)
                }
                Text(session.capture.guidance.text)
                    .card()
                    .accessibilityAddTraits(.updatesFrequently)
            }
        }

        private var actions: some View {
            HStack {
                Button("Scan later") { Task { await session.capture.keep(in: session.scans) } }
                Button("Scan \(session.capture.photos.count)") { session.capture.start(session.scan) }
                    .buttonStyle(.borderedProminent)
                    .accessibilityLabel("Scan \(session.capture.photos.count) photos")
            }
            .disabled(session.capture.photos.isEmpty)
            .padding()
        }
    }

    /// A photo to be used or taken again.
    struct PendingPhotoView: View {
        let capture: CaptureModel
        let jpeg: Data

        var body: some View {
            VStack {
                if let image = Image(jpeg: jpeg) {
                    image.resizable().scaledToFit().accessibilityLabel("The photo")
                }
                HStack {
                    Button("Retake") { capture.retake() }
                    Button("Use photo") { capture.usePending() }
                        .buttonStyle(.borderedProminent)
                }
            }
        }
    }

    /// The photos of the batch.
    struct BatchView: View {
        let capture: CaptureModel

        var body: some View {
            ScrollView(.horizontal) {
                HStack {
                    ForEach(Array(capture.photos.enumerated()), id: \.offset) { index, jpeg in
                        Button {
                            capture.remove(at: index)
                        } label: {
                            if let image = Image(jpeg: jpeg) { image.resizable().scaledToFit() }
                        }
                        .accessibilityLabel("Remove photo \(index + 1)")
                    }
                }
            }
            .frame(height: 72)
            Text("\(capture.photos.count) of \(ScanModel.photoLimit) photos").font(.footnote)
        }
    }
#endif
