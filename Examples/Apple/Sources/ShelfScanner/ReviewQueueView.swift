#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The books and questions that wait for a person, least sure first.
    struct ReviewQueueView: View {
        let session: Session

        @State private var approves = false

        private var model: ReviewQueueModel { session.review }

        var body: some View {
            NavigationStack {
                List {
                    ErrorText(error: model.error)
                    ForEach(model.sections) { section in
                        Section("\(Words.tier(section.id)) (\(section.count))") {
                            ForEach(section.items) { item in ReviewRow(session: session, item: item) }
                        }
                    }
                    if model.hasMore {
                        ProgressView().task { await model.loadMore() }
                    }
                    if model.sections.isEmpty { Text("Nothing to review.") }
                }
                .refreshable { await model.load() }
                .navigationTitle("Review")
                .toolbar {
                    Button("Undo") { Task { await model.undo() } }
                        .disabled(!model.canUndo)
                    Button("Approve all") { approves = true }
                        .disabled(model.sections.isEmpty)
                }
                .confirmationDialog("Approve all books shown here?", isPresented: $approves) {
                    Button("Approve all") { Task { await model.verifyAll() } }
                }
                .themed()
            }
        }
    }

    /// One item of the queue.
    struct ReviewRow: View {
        let session: Session
        let item: ReviewQueueItem

        var body: some View {
            switch item.kind {
            case .duplicateQuestion, .missing, .failedRow: QuestionRow(review: session.review, item: item)
            case .detection, .incomplete, nil: bookRow
            }
        }

        private var bookRow: some View {
            NavigationLink {
                CorrectionView(session: session, model: session.correction(of: item))
            } label: {
                HStack {
                    ServerPicture(path: item.cropUrl, pictures: session.pictures).frame(width: 44, height: 64)
                    VStack(alignment: .leading) {
                        Text(item.title ?? "Book without a title").font(.headline)
                        Text(item.author ?? "").font(.subheadline)
                    }
                    Spacer()
                    if let confidence = item.confidence { Text(Words.percent(confidence)).monospacedDigit() }
                }
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(Words.book(item.title, by: item.author, confidence: item.confidence))
            }
            .swipeActions {
                Button("Approve") { Task { await session.review.verify(item) } }
                Button("Not a book", role: .destructive) { Task { await session.review.reject(item) } }
            }
        }
    }
#endif
