#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// One book: its cover, its place in the photo, its shelf and tags, and its history.
    struct BookView: View {
        let session: Session
        @State var model: BookModel
        @State private var tag = ""

        var body: some View {
            List {
                ErrorText(error: model.error)
                Section {
                    ServerPicture(path: model.book.coverUrl, pictures: session.pictures).frame(height: 160)
                    Text(model.book.title).font(.title2)
                    Text(model.book.author)
                    if model.book.coverUrl != nil {
                        Button("Remove cover", role: .destructive) { Task { await model.setCover(nil) } }
                    }
                }
                if let data = model.photo, let image = Image(jpeg: data) {
                    Section("Where it is") {
                        PhotoWithOutlines(image: image, outlines: [model.outline].compactMap(\.self))
                    }
                }
                Section("Shelf") {
                    ForEach(session.shelves) { shelf in
                        Button(shelf.path) { Task { await model.move(to: shelf) } }
                            .disabled(shelf.id == model.book.shelf?.id)
                    }
                }
                tags
                Section("History") {
                    ForEach(Array(model.history.enumerated()), id: \.offset) { _, event in
                        HStack {
                            Text(event.action?.rawValue ?? "changed")
                            Spacer()
                            Text(event.time, style: .date)
                        }
                    }
                }
            }
            .navigationTitle("Book")
            .toolbar {
                Button("Undo") { Task { await model.undo() } }
                    .disabled(!model.canUndo)
            }
            .task { await model.load() }
            .task { await session.loadShelves() }
            .themed()
        }

        private var tags: some View {
            Section("Tags") {
                ForEach(model.book.tags ?? [], id: \.self) { tag in Text(tag) }
                TextField("New tag", text: $tag)
                    .onSubmit {
                        let new = tag
                        tag = ""
                        Task { await model.setTags((model.book.tags ?? []) + [new]) }
                    }
            }
        }
    }
#endif
