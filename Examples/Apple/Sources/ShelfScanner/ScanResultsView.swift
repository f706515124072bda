#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The books of a scan with their outlines; a book opens a half-sheet.
    struct ScanResultsView: View {
        let session: Session
        @State private var shown: ScanResultBook?
        @State private var clears = false

        private var books: [ScanResultBook] { session.scan.results?.books ?? [] }

        var body: some View {
            List {
                ErrorText(error: session.scan.error)
                Section {
                    ForEach(session.scan.photos) { photo in photoView(photo) }
                }
                Section("\(books.count) books") {
                    ForEach(books) { book in
                        Button {
                            shown = book
                        } label: {
                            ResultRow(book: book, pictures: session.pictures)
                        }
                    }
                }
                Section {
                    Button("Add all") { Task { await session.scan.addToLibrary() } }
                    Button("Undo") { Task { await session.scan.undo() } }
                        .disabled(session.scan.results?.undoToken == nil)
                    Button("Clear all", role: .destructive) { clears = true }
                }
            }
            .sheet(item: $shown) { book in
                ResultSheet(session: session, model: session.details(of: book))
                    .presentationDetents([.medium, .large])
            }
            .confirmationDialog("Leave these results? Books in the library stay there.", isPresented: $clears) {
                Button("Clear all", role: .destructive) { session.scan.begin() }
            }
        }

        private func photoView(_ photo: ScanPhotoState) -> some View {
            let scan = session.scan.outlines(of: photo)
            return ScanPhotoView(
                scan: scan, pictures: session.pictures, selection: scan.books.firstIndex { $0.id == shown?.id }
            ) { shown = scan.books[$0] }
        }
    }

    /// A book of the results.
    struct ResultRow: View {
        let book: ScanResultBook
        let pictures: PictureModel

        private var title: String? { book.library.title ?? book.title }
        private var author: String? { book.library.author ?? book.author }

        var body: some View {
            HStack {
                ServerPicture(path: book.cropUrl, pictures: pictures).frame(width: 44, height: 64)
                VStack(alignment: .leading) {
                    Text(title ?? "Book without a title").font(.headline)
                    Text(author ?? "").font(.subheadline)
                    Text(Words.state(book.library.state)).font(.footnote).foregroundStyle(.secondary)
                }
                Spacer()
                Text(Words.percent(book.confidence)).monospacedDigit()
            }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Words.book(title, by: author, confidence: book.confidence))
            .accessibilityValue(Words.state(book.library.state))
        }
    }
#endif
