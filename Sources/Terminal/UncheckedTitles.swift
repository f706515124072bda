package import Reading
import ShelflistAPI

/// How many titles no source was asked about.
package struct UncheckedTitles: CustomStringConvertible {
    package let count: Int
    private let total: Int

    package init(_ photos: some Sequence<ScannedPhoto>) {
        // Of a spine in letters that are not read, there is no title to check.
        let books = photos.flatMap(\.books).filter { $0.title != nil || !$0.text.isEmpty }
        count = books.count { !$0.checked }
        total = books.count
    }

    package var description: String { "\(count) of \(total) titles were read, but not checked" }
}
