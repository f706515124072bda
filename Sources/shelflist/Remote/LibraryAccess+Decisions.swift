import Bibliography
import Foundation
import Library
import Lookup
import Server
import ShelflistAPI
import ShelflistClient

extension LocalLibrary {
    func verify(_ ids: [RowID<LibraryEntry>]) async throws -> Int { try await store.verifyAll(ids) }

    func verifyAll(tier: ConfidenceTier?) async throws -> Int { try await store.verifyAll(tier: tier) }

    func reject(_ ids: [RowID<LibraryEntry>]) async throws -> Int { try await store.rejectAll(ids) }

    func verify(_ id: RowID<LibraryEntry>, ifMatch etag: String) async throws {
        _ = try await store.verify(id, ifRevision: try await revision(of: id, ifMatch: etag))
    }

    func reject(_ id: RowID<LibraryEntry>, ifMatch etag: String) async throws {
        try await store.reject(id, ifRevision: try await revision(of: id, ifMatch: etag))
    }

    func correct(
        _ id: RowID<LibraryEntry>, _ correction: BookCorrection, ifMatch etag: String?
    ) async throws -> LibraryBook {
        let revision = try await revision(of: id, ifMatch: etag)
        var details = try await store.book(id)
        try correction.apply(to: &details)
        _ = try await store.correct(id, to: details, ifRevision: revision)
        return try await book(id)
    }

    private func revision(of id: RowID<LibraryEntry>, ifMatch etag: String?) async throws -> Int {
        let item = try await store.reviewItem(id)
        guard etag == nil || etag == RevisionTag.of(item.revision) else {
            throw LibraryError.changedMeanwhile("“\(item.title)”", current: nil)
        }
        return item.revision
    }

    func undo() async throws -> String? { try await store.undo()?.kind.rawValue }

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
            stays: preview.stays, cover: offer.record.coverURL, etag: RevisionTag.of(preview.revision)
        ) {
            try await withCatalogs(store.folder) {
                _ = try await ReviewMatch.take(offer, preview, store, $0)
            }
            return try await book(id)
        }
    }
}

extension ServerLibrary {
    func verify(_ ids: [RowID<LibraryEntry>]) async throws -> Int {
        try await client.review.verify(all: ids.map(Self.item)).changed
    }

    func verifyAll(tier: ConfidenceTier?) async throws -> Int { try await client.review.verifyAll(tier: tier).changed }

    func reject(_ ids: [RowID<LibraryEntry>]) async throws -> Int {
        try await client.review.reject(all: ids.map(Self.item)).changed
    }

    func verify(_ id: RowID<LibraryEntry>, ifMatch etag: String) async throws {
        try await client.review.verify(Self.item(id), ifMatch: etag)
    }

    func reject(_ id: RowID<LibraryEntry>, ifMatch etag: String) async throws {
        try await client.review.reject(Self.item(id), ifMatch: etag)
    }

    func correct(
        _ id: RowID<LibraryEntry>, _ correction: BookCorrection, ifMatch etag: String?
    ) async throws -> LibraryBook {
        var item = try await client.review.item(Self.item(id))
        item.etag = etag ?? item.etag
        try await client.review.correct(item, correction)
        return try await book(id)
    }

    func undo() async throws -> String? { try await client.review.undoLatest().undone }

    func records(
        for id: RowID<LibraryEntry>, _ text: String?, in scope: SearchScope, offline: Bool
    ) async throws -> MatchResults {
        let title = try await book(id).title
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
        return PreparedMatch(
            changes: preview.changes, stays: preview.keeps, cover: offer.record.coverURL, etag: preview.etag
        ) {
            try await client.review.match(Self.item(id), with: record, ifMatch: preview.etag)
            return try await book(id)
        }
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
