import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns the worth of the copies of each shelf itself, without wishes and missing copies.
    package func value() async throws -> LibraryValue {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT shelf, coalesce(valueCurrency, currency) AS name, count(*) AS copies,
                        sum(coalesce(value, price)) AS value
                    FROM entry WHERE \(Self.counted) GROUP BY shelf, name ORDER BY name
                    """)
            // A copy may be valued in another currency than it was paid in.
            let paid = try Row.fetchAll(
                db,
                sql: """
                    SELECT shelf, currency AS name, sum(price) AS price FROM entry
                    WHERE price IS NOT NULL AND \(Self.counted) GROUP BY shelf, name ORDER BY name
                    """)
            let photos = try Row.fetchAll(
                db,
                sql: """
                    SELECT shelf, max(id) AS id FROM photo
                    WHERE shelf IS NOT NULL AND coalesce(file, picture) IS NOT NULL GROUP BY shelf
                    """)
            let photo = Dictionary(
                photos.map { ($0["shelf"] as RowID<Shelf>, $0["id"] as RowID<Photo>) },
                uniquingKeysWith: { first, _ in first })
            var byShelf: [RowID<Shelf>?: LibraryValue.Place] = [:]
            var total = LibraryValue.Place(shelf: nil)
            for row in rows {
                let (shelf, copies): (RowID<Shelf>?, Int) = (row["shelf"], row["copies"])
                let (name, value): (String?, Int?) = (row["name"], row["value"])
                total.add(copies: copies, currency: name, value: value ?? 0)
                byShelf[shelf, default: .init(shelf: nil)].add(copies: copies, currency: name, value: value ?? 0)
            }
            for row in paid {
                let (shelf, name, price): (RowID<Shelf>?, String, Int) = (row["shelf"], row["name"], row["price"])
                total.pay(price, in: name)
                byShelf[shelf, default: .init(shelf: nil)].pay(price, in: name)
            }
            let shelves = try db.shelvesInOrder().compactMap { shelf in
                byShelf[shelf.id].map { place in
                    var place = place
                    place.shelf = ShelfReference(shelf)
                    place.photoUrl = photo[shelf.id].map(PictureURL.photo)
                    return place
                }
            }
            return LibraryValue(places: shelves + [byShelf[nil]].compactMap(\.self), total: total)
        }
    }

    private static let counted = "ownership <> 'wishlist' AND missingSince IS NULL"
}

extension LibraryValue.Place {
    fileprivate mutating func add(copies: Int, currency: String?, value: Int) {
        self.copies += copies
        guard let currency else {
            withoutPrice += copies
            return
        }
        sums[index(of: currency)].value += value
    }

    fileprivate mutating func pay(_ price: Int, in currency: String) { sums[index(of: currency)].price += price }

    private mutating func index(of currency: String) -> Int {
        if let known = sums.firstIndex(where: { $0.currency == currency }) { return known }
        sums.append(LibraryValue.Sum(currency: currency, price: 0, value: 0))
        sums.sort { $0.currency < $1.currency }
        return sums.firstIndex { $0.currency == currency } ?? 0
    }
}
