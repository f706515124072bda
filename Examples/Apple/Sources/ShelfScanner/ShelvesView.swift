#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The shelves.
    struct ShelvesView: View {
        let session: Session

        var body: some View {
            NavigationStack {
                List {
                    ErrorText(error: session.error)
                    ForEach(session.shelves) { shelf in
                        NavigationLink {
                            ShelfView(session: session, model: session.details(of: shelf))
                        } label: {
                            HStack {
                                Text(shelf.path)
                                Spacer()
                                Text("\(shelf.entriesInside)").accessibilityLabel("\(shelf.entriesInside) books")
                            }
                        }
                    }
                }
                .navigationTitle("Shelves")
                .task { await session.loadShelves() }
                .refreshable { await session.loadShelves() }
                .themed()
            }
        }
    }

    /// A shelf: its latest photo with outlines, and its boards.
    struct ShelfView: View {
        let session: Session
        @State var model: ShelfModel

        var body: some View {
            List {
                ErrorText(error: model.error)
                if let photo = model.photo, let data = model.picture, let image = Image(jpeg: data) {
                    PhotoWithOutlines(image: image, outlines: photo.detections.map(\.outline))
                }
                ForEach(Array((model.view?.boards ?? []).enumerated()), id: \.offset) { number, board in
                    Section("Board \(number + 1)") {
                        ForEach(board, id: \.detectionId) { spine in
                            HStack {
                                BookRow(book: spine.entry, pictures: session.pictures)
                                if spine.state == .missing {
                                    Image(systemName: "questionmark").accessibilityLabel("Missing")
                                }
                            }
                        }
                    }
                }
            }
            .navigationTitle(model.shelf.name)
            .toolbar {
                Button("Undo") { Task { await model.undo() } }
                    .disabled(!model.canUndo)
            }
            .task { await model.watch() }
            .task { await model.loadPhoto() }
            .themed()
        }
    }
#endif
