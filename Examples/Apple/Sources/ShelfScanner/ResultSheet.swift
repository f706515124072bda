#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// One book of the results: what was read, and what can be done with it.
    struct ResultSheet: View {
        let session: Session
        @State var model: ResultModel
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                Form {
                    Section {
                        ServerPicture(path: model.book.cropUrl, pictures: session.pictures).frame(height: 160)
                        Text(Words.sureness(model.book.confidence))
                        TextField("Title", text: $model.title)
                        TextField("Author", text: $model.author)
                    }
                    if let metadata = model.book.metadata {
                        Section("Found") {
                            Text(metadata.record.publisher ?? "")
                            Text(metadata.record.isbn ?? "")
                        }
                    }
                    ErrorText(error: model.error)
                    actions
                    ReportSection(isReported: model.isReported) { await model.report($0) }
                }
                .navigationTitle("Book")
                .sheet(item: $model.item) { item in
                    ManualMatchView(session: session, model: session.match(of: item))
                }
            }
        }

        private var actions: some View {
            Section {
                Button("Save") { close { await model.save() } }
                if model.canAdd { Button("Add to library") { close { await model.add() } } }
                if model.canSearch { Button("Search manually") { Task { await model.search() } } }
                Button("Not a book", role: .destructive) { close { await model.reject() } }
            }
        }

        private func close(_ action: @escaping @MainActor () async -> Void) {
            Task { await action() }
            dismiss()
        }
    }

    /// What is wrong with how a spine was read.
    struct ReportSection: View {
        let isReported: Bool
        let report: @MainActor (SpineProblem) async -> Void

        var body: some View {
            Section("Report incorrect detection") {
                if isReported {
                    Text("Reported. Thank you.")
                } else {
                    Button("Wrong title") { Task { await report(.wrongTitle) } }
                    Button("Two books") { Task { await report(.twoBooks) } }
                    Button("Outline does not fit") { Task { await report(.cutOff) } }
                }
            }
        }
    }
#endif
