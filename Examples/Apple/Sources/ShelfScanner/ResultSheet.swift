#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// One book of the results: what was read, and what can be done with it.
    struct ResultSheet: View {
        let session: Session
        let book: ScanResultBook
        @State private var title = ""
        @State private var author = ""
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                Form {
                    Section {
                        ServerPicture(path: book.cropUrl, pictures: session.pictures).frame(height: 160)
                        TextField("Title", text: $title)
                        TextField("Author", text: $author)
                    }
                    if let metadata = book.metadata {
                        Section("Found") {
                            Text(metadata.record.publisher ?? "")
                            Text(metadata.record.isbn ?? "")
                        }
                    }
                    Section {
                        Button("Save") { change(ScanBookChange(title: title, authors: [author])) }
                        Button("Add to library") { add() }
                        Button("Not a book", role: .destructive) { change(.notABook) }
                    }
                }
                .navigationTitle("Book")
            }
            .onAppear {
                title = book.library.title ?? book.title ?? ""
                author = book.library.author ?? book.author ?? ""
            }
        }

        private func change(_ change: ScanBookChange) {
            Task { await session.scan.change(book.id, change) }
            dismiss()
        }

        private func add() {
            Task { await session.scan.addToLibrary(ScanImportRequest(books: [book.id])) }
            dismiss()
        }
    }
#endif
