package import Reading
import ShelflistAPI

/// How many titles no source was asked about.
package struct UncheckedTitles: CustomStringConvertible {
    package let count: Int
    private let total: Int

    package init(_ photos: some Sequence<ScannedPhoto>) {
        let books = photos.flatMap(\.books)
        count = books.count { !$0.checked }
        total = books.count
    }

    package var description: String { "\(count) of \(total) titles were read, but not checked" }
}
