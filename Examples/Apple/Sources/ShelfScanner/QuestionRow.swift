#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// A question of the queue about anything but a title and an author.
    struct QuestionRow: View {
        let review: ReviewQueueModel
        let item: ReviewQueueItem

        var body: some View {
            VStack(alignment: .leading) {
                Text(item.title ?? "Book without a title").font(.headline)
                ForEach(item.details, id: \.self) { detail in Text(detail).font(.subheadline) }
                HStack {
                    ForEach(item.answers) { answer in
                        Button(answer.id) { Task { await answer.give(to: item, of: review) } }
                            .buttonStyle(.bordered)
                    }
                }
            }
        }
    }
#endif
