#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// A scan that runs: the stage, each photo, and the books so far.
    struct ScanProgressView: View {
        let session: Session

        private var scan: ScanModel { session.scan }

        var body: some View {
            List {
                Section {
                    ProgressView(value: scan.progress?.progress ?? 0)
                    Text(scan.progress?.message ?? "Preparing the photos.")
                    if let countdown = scan.countdown {
                        Text("Next attempt in \(Words.countdown(countdown))").monospacedDigit()
                    }
                    ErrorText(error: scan.error)
                }
                Section("Photos") {
                    ForEach(scan.photos) { photo in
                        PhotoRow(photo: photo)
                        ScanPhotoView(scan: scan.outlines(of: photo), pictures: session.pictures)
                    }
                }
                Section("\(scan.books.count) books") {
                    ForEach(scan.books) { book in
                        VStack(alignment: .leading) {
                            Text(book.title ?? "Book without a title")
                            Text(book.author ?? "").font(.footnote).foregroundStyle(.secondary)
                        }
                        .accessibilityElement(children: .ignore)
                        .accessibilityLabel(Words.book(book.title, by: book.author, confidence: book.confidence))
                    }
                }
                Button("Cancel", role: .destructive) { Task { await scan.leave() } }
            }
        }
    }

    /// What happens to a photo of a scan.
    struct PhotoRow: View {
        let photo: ScanPhotoState

        var body: some View {
            HStack {
                Text("Photo \(photo.id)")
                Spacer()
                switch photo.state {
                case .captured, .waiting: Text("Waiting")
                case .preprocessing: Text("Preparing")
                case .uploading: Text("Sending")
                case .sent: Text("On the server")
                case .reading: Text(photo.reading.map { "Book \($0.current) of \($0.total)" } ?? "Reading")
                case .done(let books): Text("\(books) books")
                case .failed(let error): Text(error.message).foregroundStyle(.red)
                }
            }
            .accessibilityElement(children: .combine)
        }
    }
#endif
