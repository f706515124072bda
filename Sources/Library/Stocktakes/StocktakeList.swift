import DelimitedText
package import ShelflistAPI

/// The report of a stocktake as a list.
package enum StocktakeList {
    /// Returns all copies as CSV, by shelf and author.
    package static func csv(_ copies: [StocktakeCopy]) -> String {
        let header = CSVWriter.record([
            "shelf", "call_number", "number", "barcode", "title", "author", "price", "currency", "state", "seen_at",
            "seen_by", "seen_on",
            "last_photo_at",
        ])
        return copies.reduce(into: header) { text, copy in
            let place = [copy.shelf?.path, copy.callNumber, copy.entryId, copy.barcode, copy.title, copy.author]
            let seen = [
                copy.price?.number, copy.price?.currency, copy.state?.rawValue, copy.seenAt.map(ListTime.text),
                copy.seenBy?.rawValue, copy.seenOn?.path,
                copy.lastPhotoAt.map(ListTime.text),
            ]
            text += CSVWriter.record(place + seen)
        }
    }
}
