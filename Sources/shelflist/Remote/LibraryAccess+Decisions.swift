import Bibliography
import Foundation
import Library
import Lookup
import Server
import ShelflistAPI
import ShelflistClient

extension LocalLibrary {
    func correct(_ id: RowID<LibraryEntry>, _ fields: BookFields) async throws -> LibraryBook {
        let item = try await store.reviewItem(id)
        _ = try await store.correct(id, to: try fields.apply(to: try await store.book(id)), ifRevision: item.revision)
        return LibraryBook(try await store.entry(id))
    }

    func records(
        for id: RowID<LibraryEntry>, _ text: String?, in scope: SearchScope, offline: Bool
    ) async throws -> MatchResults {
        let title = try await store.reviewItem(id).title
        return try await withCatalogs(store.folder, offline: offline) {
            await CombinedSearch(try $0.sources()).results(for: text ?? title, in: scope)
        }
    }

    func prepareMatch(of id: RowID<LibraryEntry>, with offer: MatchOffer) async throws -> PreparedMatch {
        let preview = try await store.previewMatch(id, with: offer.record)
        return PreparedMatch(
            changes: preview.changes.map { .init(field: $0.field, from: $0.before, to: $0.after) },
            stays: preview.stays, cover: offer.record.coverURL
        ) {
            try await withCatalogs(store.folder) {
                _ = try await ReviewMatch.take(offer, preview, store, $0)
            }
            return LibraryBook(try await store.entry(id))
        }
    }
}

extension ServerLibrary {
    func correct(_ id: RowID<LibraryEntry>, _ fields: BookFields) async throws -> LibraryBook {
        let item = try await client.review.item(Self.item(id))
        try await client.review.correct(item, BookCorrection(fields))
        return try await client.library.book("\(id)")
    }

    func records(
        for id: RowID<LibraryEntry>, _ text: String?, in scope: SearchScope, offline: Bool
    ) async throws -> MatchResults {
        let title = try await client.library.book("\(id)").title
        let found = try await client.search(text ?? title, in: scope, sources: offline ? .local : .all)
        return MatchResults(
            offers: found.items.map { item in
                var record = Record(item)
                record.coverURL = item.coverUrl.flatMap { URL(string: $0.text) }
                return MatchOffer(record: record, sources: item.sources ?? [item.source])
            }, failures: found.unavailable)
    }

    func prepareMatch(of id: RowID<LibraryEntry>, with offer: MatchOffer) async throws -> PreparedMatch {
        let record = SearchRecord(offer)
        let preview = try await client.review.previewMatch(Self.item(id), with: record)
        return PreparedMatch(changes: preview.changes, stays: preview.keeps, cover: offer.record.coverURL) {
            try await client.review.match(Self.item(id), with: record, ifMatch: preview.etag)
            return try await client.library.book("\(id)")
        }
    }
}

extension BookCorrection {
    /// Without series and language, which the API does not change.
    fileprivate init(_ fields: BookFields) {
        self.init(title: fields.title, authors: fields.authors.isEmpty ? nil : fields.authors)
        // An empty text removes the ISBN.
        if let isbn = fields.isbn { self.isbn = isbn.isEmpty ? .clear : .set(isbn) }
        if let subtitle = fields.subtitle { self.subtitle = .set(subtitle) }
        if let publisher = fields.publisher { self.publisher = .set(publisher) }
        if let year = fields.year { self.year = .set(year) }
        if let pages = fields.pages { self.pages = .set(pages) }
    }
}

extension SearchResults {
    /// The sources that did not answer.
    var unavailable: [UnavailableSource] {
        sources.filter { $0.state == "degraded" }.map {
            UnavailableSource(
                source: $0.source, message: $0.message ?? "\($0.source) did not answer.",
                retryAfterMs: $0.retryAfterMs)
        }
    }
}

extension Record {
    init(_ record: SearchRecord) {
        self.init(
            id: record.id, work: record.work, title: record.title, subtitle: record.subtitle, authors: record.authors,
            series: record.series, isbn: record.isbn, publisher: record.publisher, year: record.year,
            pages: record.pages, language: record.language, source: record.source)
    }
}

extension SearchRecord {
    fileprivate init(_ offer: MatchOffer) {
        let record = offer.record
        self.init(
            id: record.id, source: record.source, title: record.title, authors: record.authors, isbn: record.isbn)
        (subtitle, publisher, series) = (record.subtitle, record.publisher, record.series)
        (year, pages, language, work) = (record.year, record.pages, record.language, record.work)
        coverUrl = record.coverURL.map { ServerPath($0.relativeString) }
        sources = offer.sources
    }
}
