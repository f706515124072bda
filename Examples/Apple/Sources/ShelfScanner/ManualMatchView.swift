#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The search for the record of a book.
    struct ManualMatchView: View {
        let session: Session
        @State var model: ManualMatchModel
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                List {
                    Picker("Search in", selection: $model.scope) {
                        Text("All").tag(SearchScope.all)
                        Text("Title").tag(SearchScope.title)
                        Text("Author").tag(SearchScope.author)
                        Text("ISBN").tag(SearchScope.isbn)
                    }
                    .pickerStyle(.segmented)
                    ErrorText(error: model.error)
                    if let choice = model.choice {
                        MatchChangesView(model: model, choice: choice) { dismiss() }
                    } else {
                        results
                    }
                }
                .searchable(text: $model.text)
                .navigationTitle("Find the book")
                .toolbar { Button("Cancel") { dismiss() } }
                .task { model.searchNow() }
            }
        }

        private var results: some View {
            Section {
                if model.isSearching { ProgressView() }
                ForEach(model.results?.items ?? []) { record in
                    Button {
                        Task { await model.choose(record) }
                    } label: {
                        RecordRow(session: session, found: record)
                    }
                }
                ForEach(model.results?.sources.filter { $0.state == "degraded" } ?? [], id: \.source) { source in
                    Text(source.message ?? source.source).font(.footnote)
                }
            }
        }
    }

    /// A record that the search found.
    struct RecordRow: View {
        let session: Session
        let found: SearchRecord

        var body: some View {
            HStack {
                ServerPicture(path: found.cover, pictures: session.pictures).frame(width: 44, height: 64)
                VStack(alignment: .leading) {
                    Text(found.record.title).font(.headline)
                    Text(found.record.authors.joined(separator: ", ")).font(.subheadline)
                    Text(found.sources.joined(separator: ", ")).font(.footnote)
                }
            }
            .accessibilityElement(children: .combine)
        }
    }

    /// What the chosen record would change, to be confirmed.
    struct MatchChangesView: View {
        let model: ManualMatchModel
        let choice: SearchRecord
        let done: () -> Void

        var body: some View {
            Section(choice.record.title) {
                ForEach(model.changes?.changes ?? [], id: \.field) { change in
                    VStack(alignment: .leading) {
                        Text(change.field).font(.footnote)
                        Text("\(change.from ?? "–") → \(change.to ?? "–")")
                            .accessibilityLabel("From \(change.from ?? "nothing") to \(change.to ?? "nothing")")
                    }
                }
                if let keeps = model.changes?.keeps, !keeps.isEmpty {
                    Text("Kept: \(keeps.joined(separator: ", "))").font(.footnote)
                }
            }
            if model.isApplied {
                Button("Undo") { Task { await model.undo() } }
                Button("Done") { done() }
            } else {
                Button("Use this record") { Task { await model.confirm() } }
                    .disabled(model.changes == nil)
                Button("Other record") { Task { await model.choose(nil) } }
            }
        }
    }
#endif
