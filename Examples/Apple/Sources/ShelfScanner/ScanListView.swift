#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// Several scans: those that wait on this device, and those of the server.
    struct ScanListView: View {
        let session: Session

        var body: some View {
            List {
                ErrorText(error: session.scans.error)
                ForEach(session.scans.scans) { scan in
                    ScanListRow(scan: scan)
                        .swipeActions {
                            Button("Remove", role: .destructive) { session.scans.remove(scan.id) }
                            if case .refused = scan.state { Button("Retry") { session.scans.retry(scan.id) } }
                        }
                        .onTapGesture { if let job = scan.jobID { session.scan.follow(job) } }
                }
            }
            .navigationTitle("Scans")
            .themed()
        }
    }

    /// A scan of the list.
    struct ScanListRow: View {
        let scan: ScanListModel.Scan

        var body: some View {
            VStack(alignment: .leading) {
                Text(scan.addedAt, style: .time).font(.headline)
                Text(Words.state(scan.state))
                if let fraction = Words.fraction(scan.state) { ProgressView(value: fraction) }
            }
            .accessibilityElement(children: .combine)
        }
    }
#endif
