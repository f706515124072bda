#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The books of the library.
    struct LibraryView: View {
        let session: Session

        var body: some View {
            @Bindable var model = session.library
            NavigationStack {
                List {
                    ErrorText(error: model.error)
                    ForEach(model.books) { book in
                        NavigationLink {
                            BookView(session: session, model: session.details(of: book))
                        } label: {
                            BookRow(book: book, pictures: session.pictures)
                        }
                    }
                    if model.books.count < model.total ?? 0 {
                        ProgressView().task { await model.loadMore() }
                    }
                }
                .searchable(
                    text: Binding(get: { model.query.text ?? "" }, set: { model.query.text = $0.isEmpty ? nil : $0 })
                )
                .navigationTitle("Library")
                .toolbar {
                    Toggle(isOn: $model.query.needsReview) {
                        Label("Needs review", systemImage: "exclamationmark.triangle")
                    }
                    Picker("Sort", selection: $model.query.sort) {
                        Text("Title").tag(LibraryQuery.Sort.title)
                        Text("Author").tag(LibraryQuery.Sort.author)
                        Text("Added").tag(LibraryQuery.Sort.added)
                        Text("Shelf").tag(LibraryQuery.Sort.shelf)
                    }
                }
                .task { await model.watch() }
                .themed()
            }
        }
    }

    /// A book of the library.
    struct BookRow: View {
        let book: LibraryBook
        let pictures: PictureModel

        var body: some View {
            HStack {
                ServerPicture(path: book.coverUrl ?? book.cropUrl, pictures: pictures).frame(width: 44, height: 64)
                VStack(alignment: .leading) {
                    Text(book.title).font(.headline)
                    Text(book.author).font(.subheadline)
                    if let shelf = book.shelf { Text(shelf.path).font(.footnote).foregroundStyle(.secondary) }
                }
            }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Words.book(book.title, by: book.author, confidence: nil))
            .accessibilityValue(book.shelf?.path ?? "")
        }
    }
#endif
