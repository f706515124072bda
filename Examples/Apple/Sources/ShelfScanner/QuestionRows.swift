#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// A question whether a book is in the library already.
    struct DuplicateRow: View {
        let review: ReviewQueueModel
        let item: ReviewQueueItem

        var body: some View {
            VStack(alignment: .leading) {
                Text(item.title ?? "Book without a title").font(.headline)
                ForEach(item.duplicates) { question in
                    Text("In the library: \(question.existing.title)").font(.subheadline)
                }
                HStack {
                    answer("Same book", .existing)
                    answer("Second copy", .addCopy)
                    answer("Other book", .different)
                }
            }
        }

        private func answer(_ text: String, _ decision: DuplicateDecision) -> some View {
            Button(text) { Task { await review.decide(item, decision) } }
                .buttonStyle(.bordered)
        }
    }

    /// A copy that the latest photos of its shelf do not show.
    struct GapRow: View {
        let review: ReviewQueueModel
        let item: ReviewQueueItem

        var body: some View {
            VStack(alignment: .leading) {
                Text(item.title ?? "Book without a title").font(.headline)
                Text("The latest photo of \(item.shelf?.name ?? "its shelf") does not show it.").font(.subheadline)
                HStack {
                    Button("It is there") { Task { await review.markFound(item) } }
                        .buttonStyle(.bordered)
                    Button("Missing") { Task { await review.markMissing(item) } }
                        .buttonStyle(.bordered)
                }
            }
        }
    }

    /// A row of a list that did not become a book.
    struct FailedRow: View {
        let session: Session
        let item: ReviewQueueItem

        var body: some View {
            VStack(alignment: .leading) {
                Text(item.title ?? "Row without a title").font(.headline)
                Text(item.problem ?? "").font(.subheadline)
                Button("Dismiss") { Task { await session.review.dismiss(item) } }
                    .buttonStyle(.bordered)
            }
        }
    }
#endif
