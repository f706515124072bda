import Bibliography
import Foundation
import Library
import Lookup
import ShelflistAPI

extension BookRecord {
    /// The record with the cover's path on this server, because the web app does not load images from other hosts.
    var served: BookRecord {
        var served = self
        served.coverURL = CoverName.of(coverURL?.absoluteString).flatMap { URL(string: CoverURL.of($0).text) }
        return served
    }
}

extension SearchRecord {
    /// The name of the provider's cover for a received record.
    var coverName: String? { record.coverURL?.lastPathComponent }

    /// A received record; the address of its cover is not trusted.
    var received: BookRecord {
        var received = record
        received.coverURL = nil
        // One more than a book may have, so that too many are refused before their names are read.
        received.authors = Array(record.authors.prefix(BookDetails.authorLimit + 1))
        return received
    }
}
