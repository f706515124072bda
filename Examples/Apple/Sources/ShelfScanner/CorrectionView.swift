#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The spine of a book with its title and author, to be corrected or confirmed.
    struct CorrectionView: View {
        let session: Session
        @State var model: CorrectionModel
        @State private var showsMatch = false
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            Form {
                Section("Spine") {
                    spine
                    if let confidence = model.item.confidence { Text(Words.sureness(confidence)) }
                }
                Section("Book") {
                    TextField("Title", text: $model.title)
                    TextField("Author", text: $model.author)
                    TextField("ISBN", text: $model.isbn)
                }
                if let conflict = model.conflict {
                    Section("Changed on another device") {
                        Text(Words.book(conflict.title, by: conflict.author, confidence: nil))
                        Button("Use this version") { model.useTheirs() }
                    }
                }
                ErrorText(error: model.error)
                actions
                ReportSection(isReported: model.isReported) { await model.report($0) }
            }
            .disabled(model.isBusy)
            .navigationTitle("Correct")
            .task { await model.load() }
            .sheet(isPresented: $showsMatch) { ManualMatchView(session: session, model: session.match(of: model.item)) }
            .onChange(of: model.outcome) { if model.outcome != nil { dismiss() } }
            .themed()
        }

        private var spine: some View {
            VStack {
                if let data = model.crop, let image = Image(jpeg: data) {
                    image.resizable().scaledToFit().frame(height: 220)
                        .accessibilityLabel("Spine of \(model.title)")
                }
                if model.outline != nil {
                    HStack {
                        Button("Wider") { model.outline = model.outline?.grown(by: 0.01) }
                        Button("Narrower") { model.outline = model.outline?.grown(by: -0.01) }
                        Button("Read again") { Task { await model.moveOutline() } }
                    }
                    .buttonStyle(.bordered)
                }
            }
        }

        private var actions: some View {
            Section {
                Button(model.isEdited ? "Save" : "Mark as verified") { Task { await model.save() } }
                Button("Search for match") { showsMatch = true }
                Button("Not a book", role: .destructive) { Task { await model.reject() } }
            }
        }
    }
#endif
