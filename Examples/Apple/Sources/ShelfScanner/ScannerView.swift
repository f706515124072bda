#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The scan, phase by phase.
    struct ScannerView: View {
        let session: Session

        var body: some View {
            NavigationStack {
                Group {
                    switch session.scan.phase {
                    case .primer: PrimerView(scan: session.scan)
                    case .capture: CaptureView(session: session)
                    case .preprocessing, .uploading, .analysing: ScanProgressView(session: session)
                    case .results: ScanResultsView(session: session)
                    case .failed: FailedScanView(scan: session.scan)
                    }
                }
                .navigationTitle("Scan")
                .toolbar {
                    NavigationLink {
                        ScanListView(session: session)
                    } label: {
                        Label("Scans", systemImage: "tray.full")
                    }
                }
                .themed()
            }
        }
    }

    /// What a scan does, before the camera is asked for.
    struct PrimerView: View {
        let scan: ScanModel

        var body: some View {
            VStack(spacing: 16) {
                Image(systemName: "books.vertical.fill").font(.largeTitle).accessibilityHidden(true)
                Text("Photograph a shelf, and its books are added to your library.").font(.title2)
                Text("The photos are sent to your own server. The camera is needed only here.")
                    .foregroundStyle(.secondary)
                Button("Scan a shelf") { scan.begin() }
                    .buttonStyle(.borderedProminent)
            }
            .multilineTextAlignment(.center)
            .card()
            .padding()
        }
    }

    /// Nothing was read: try again, or take other photos.
    struct FailedScanView: View {
        let scan: ScanModel

        var body: some View {
            VStack(spacing: 16) {
                ErrorText(error: scan.error)
                Button("Retry") { scan.retry() }
                    .buttonStyle(.borderedProminent)
                Button("Cancel") { scan.begin() }
            }
            .card()
            .padding()
        }
    }
#endif
