import ShelflistClient

/// What is known of a scan: its photos, the server's progress, and the books so far.
struct ScanState {
    typealias Preparation = @Sendable () async throws -> PhotoSource

    private(set) var photos: [ScanPhotoState] = []
    private(set) var progress: JobEvent.Progress?
    private(set) var books: [ScanBook] = []
    private var preparations: [ScanPhotoState.ID: Preparation] = [:]
    private var last = 0
    /// The photos that were sent, in the order of their numbers on the server.
    private var sent: [ScanPhotoState.ID] = []

    /// Whether the scan is one of an earlier run of the app, whose photos only the server has.
    var isFollowed: Bool { preparations.isEmpty }

    mutating func add(_ prepare: @escaping Preparation) -> ScanPhotoState.ID {
        last += 1
        preparations[last] = prepare
        photos.append(ScanPhotoState(id: last))
        return last
    }

    mutating func remove(_ id: ScanPhotoState.ID) {
        photos.removeAll { $0.id == id }
        preparations[id] = nil
    }

    func preparation(of id: ScanPhotoState.ID) -> Preparation? { preparations[id] }

    /// The photos to be prepared: all, or those that were sent before a failure, because the server knows them by their
    /// number.
    var idsToSend: [ScanPhotoState.ID] { sent.isEmpty ? photos.map(\.id) : sent }

    func canSend(_ ids: [ScanPhotoState.ID]) -> Bool { !ids.isEmpty && (sent.isEmpty || ids == sent) }

    mutating func forgetSent() { sent = [] }

    /// Begins the scan, also once more after a failure.
    mutating func begin() {
        (progress, books) = (nil, [])
        let ids = idsToSend
        for index in photos.indices where ids.contains(photos[index].id) { photos[index].reset() }
    }

    mutating func send(_ ids: [ScanPhotoState.ID]) {
        sent = ids
        for id in ids { set(.waiting, of: id) }
    }

    mutating func set(_ state: ScanPhotoState.State, of id: ScanPhotoState.ID) { update(id) { $0.state = state } }

    // MARK: Events

    mutating func receive(_ upload: UploadProgress) {
        for (index, id) in sent.enumerated().prefix(upload.photo) {
            let isSent = index + 1 < upload.photo || upload.sent == upload.total
            update(id) { $0.receive(isSent ? .sent : .uploading) }
        }
    }

    mutating func refuse(photo number: Int, _ error: ShelflistError) {
        update(number: number) { $0.state = .failed(error) }
    }

    mutating func receive(_ event: JobEvent.Content) {
        switch event {
        case .progress(let progress): self.progress = progress
        case .photo(let photo): update(number: photo.index) { $0.receive(photo) }
        case .segmented(let found): update(number: found.photo) { $0.spines = found.spines }
        case .bookProgress(let read): update(number: read.photo) { $0.reading = read }
        case .result(let book): merge(book)
        case .enriched(let found):
            guard let index = books.firstIndex(where: { $0.id == found.bookID }) else { break }
            (books[index].enrichment, books[index].metadata) = (found.state, found.metadata)
        case .updated(let update):
            books.removeAll { update.removed.contains($0.id) }
            for book in update.books { merge(book.book) }
        case .completed, .canceled, .error, .imported, .enrichmentDegraded, .lookupProgress, .unknown: break
        }
    }

    private mutating func merge(_ book: ScanBook) {
        if let index = books.firstIndex(where: { $0.id == book.id }) {
            books[index] = book
        } else {
            books.append(book)
        }
    }

    private mutating func update(_ id: ScanPhotoState.ID, _ change: (inout ScanPhotoState) -> Void) {
        guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
        change(&photos[index])
    }

    /// - Parameter number: of the photo in the scan.
    private mutating func update(number: Int, _ change: (inout ScanPhotoState) -> Void) {
        if isFollowed {
            while photos.count < number { photos.append(ScanPhotoState(id: photos.count + 1)) }
            return update(number, change)
        }
        if sent.indices.contains(number - 1) { update(sent[number - 1], change) }
    }
}
