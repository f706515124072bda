public import Observation
public import ShelflistClient

/// A scan of up to five photos of shelves, from the explanation before the first photo to the books.
///
/// ```swift
/// model.begin()
/// model.add { .data(try await shrink(picture)) }
/// model.start()
/// ```
///
/// Call `leave` where the person leaves the scanner. Store `jobID` to `follow` the scan after a restart of the app.
@MainActor @Observable
public final class ScanModel {
    /// What the scanner shows.
    public enum Phase: String, CaseIterable, Sendable {
        /// What a scan does and needs, before the first photo.
        case primer
        /// The camera.
        case capture
        /// The photos are prepared on this device.
        case preprocessing
        /// Photos are sent; the server reads those that it has.
        case uploading
        /// The server has all photos and reads them.
        case analysing
        /// The books.
        case results
        /// Nothing was read: see `error`.
        case failed
    }

    /// The number of photos that one scan takes.
    public static let photoLimit = 5

    /// What the scanner shows.
    public private(set) var phase = Phase.primer
    /// The photos in the order of the scan.
    public private(set) var photos: [ScanPhotoState] = []
    /// The latest progress of the server, with a sentence for people.
    public private(set) var progress: JobEvent.Progress?
    /// The books found so far, in the order of their discovery.
    public private(set) var books: [ScanBook] = []
    /// The books with what became of them, in the phase `results`.
    public private(set) var results: ScanResults?
    /// The time until the next attempt, in whole seconds, while the server asks to wait or cannot be reached.
    public private(set) var countdown: Duration?
    /// What is wrong: with the connection while there is a `countdown`, else with the last action or the scan.
    public private(set) var error: ShelflistError?
    /// The scan's identifier on the server, once it has accepted the scan.
    public private(set) var jobID: String?

    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private let options: ScanOptions
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private var batch = ScanBatch()
    @ObservationIgnored private var session: ScanSession?
    @ObservationIgnored private let work = LatestTask()
    @ObservationIgnored private let ticking = LatestTask()
    @ObservationIgnored private let reloading = LatestTask()

    /// Creates a model.
    ///
    /// - Parameter options: of each scan; the key that identifies it is a new one each time.
    public init(
        client: ShelflistClient, options: ScanOptions = ScanOptions(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.client, self.options, self.clock) = (client, options, clock)
    }

    // MARK: Capture

    /// Shows the camera for a new scan; does nothing while one is running.
    public func begin() {
        guard [.primer, .capture, .results, .failed].contains(phase) else { return }
        clear(.capture)
    }

    /// Adds a photo.
    ///
    /// - Parameter prepare: returns the photo after it was scaled, for example; runs after `start`, not on the main
    ///   actor.
    /// - Returns: the identifier in `photos`, or nil if the batch is full or the camera is not shown.
    @discardableResult
    public func add(_ prepare: @escaping @Sendable () async throws -> PhotoSource) -> ScanPhotoState.ID? {
        guard phase == .capture, photos.count < Self.photoLimit else { return nil }
        let id = batch.add(prepare)
        photos.append(ScanPhotoState(id: id))
        return id
    }

    /// Removes a photo before the scan.
    public func remove(_ id: ScanPhotoState.ID) {
        guard phase == .capture else { return }
        photos.removeAll { $0.id == id }
    }

    // MARK: The scan

    /// Prepares and sends the photos, and follows the scan to its results.
    public func start() {
        guard phase == .capture, !photos.isEmpty else { return }
        batch.begin(options)
        run()
    }

    /// Continues a scan that failed; photos that the server has are not sent again.
    public func retry() {
        guard phase == .failed else { return }
        if let jobID, batch.isEmpty { return follow(jobID) }
        guard !photos.isEmpty else { return }
        for index in photos.indices { photos[index].reset() }
        run()
    }

    /// Follows a scan that was started before, for example by an earlier run of the app.
    public func follow(_ jobID: String) {
        guard [.primer, .capture, .results, .failed].contains(phase) else { return }
        clear(.analysing)
        self.jobID = jobID
        listen(to: client.follow(jobID))
    }

    /// Ends a running scan, here at once and on the server within a few seconds, and drops its photos.
    ///
    /// Results stay. Call it where the scanner disappears, unless the scan is to continue without it.
    public func leave() async {
        guard [.preprocessing, .uploading, .analysing].contains(phase) else { return }
        let session = session
        clear(.capture)
        await session?.cancel()
    }

    private func clear(_ phase: Phase) {
        work.cancel()
        reloading.cancel()
        stopCountdown()
        (session, batch) = (nil, ScanBatch())
        (photos, progress, books, results, error, jobID) = ([], nil, [], nil, nil, nil)
        self.phase = phase
    }

    private func run() {
        (error, progress, books) = (nil, nil, [])
        phase = .preprocessing
        work.start { [weak self] in
            guard let photos = await self?.prepare(), !Task.isCancelled, let self else { return }
            phase = .uploading
            for id in batch.sent { update(id) { $0.state = .waiting } }
            listen(to: client.scan(photos, options: batch.options))
        }
    }

    /// Returns the photos that could be prepared; nil if none could.
    private func prepare() async -> [PhotoSource]? {
        var prepared: [(id: Int, photo: PhotoSource)] = []
        var last: ShelflistError?
        for id in photos.map(\.id) {
            update(id) { $0.state = .preprocessing }
            do {
                prepared.append((id, try await batch.prepare(id)))
                if Task.isCancelled { return nil }
                update(id) { $0.state = .waiting }
            } catch {
                if Task.isCancelled { return nil }
                let error =
                    error as? ShelflistError
                    ?? ShelflistError(
                        .file, "The photo could not be prepared.", "Take it again.", cause: error)
                last = error
                update(id) { $0.state = .failed(error) }
            }
        }
        batch.sent = prepared.map(\.id)
        if prepared.isEmpty { fail(last) }
        return prepared.isEmpty ? nil : prepared.map(\.photo)
    }

    private func listen(to session: ScanSession) {
        self.session = session
        work.start { [weak self] in
            do {
                for try await event in session.events {
                    // The session ends with the model, the scan on the server does not.
                    guard let self, self.session === session else { return }
                    self.jobID = session.jobID
                    self.receive(event)
                }
            } catch {
                guard let self, self.session === session, let error = error as? ShelflistError else { return }
                if phase == .results { self.error = error } else { fail(error) }
            }
        }
    }

    private func fail(_ error: ShelflistError?) {
        stopCountdown()
        self.error = error
        phase = .failed
    }

    // MARK: Events

    private func receive(_ event: ScanEvent) {
        if case .connection(.waiting(let time, let error)) = event {
            self.error = error
            return startCountdown(time, on: clock)
        }
        if countdown != nil {
            stopCountdown()
            error = nil
        }
        switch event {
        case .uploading(let upload):
            if phase != .results { phase = upload.sent < upload.total ? .uploading : .analysing }
            for (index, id) in batch.sent.enumerated().prefix(upload.photo) {
                let isSent = index + 1 < upload.photo || upload.sent == upload.total
                update(id) { $0.receive(isSent ? .sent : .uploading) }
            }
        case .photoRefused(let number, let error): update(number: number) { $0.state = .failed(error) }
        case .connection: break
        case .job(let event): receive(event)
        }
    }

    private func receive(_ event: JobEvent) {
        switch event.content {
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
            // What became of the books may have changed, too.
            if phase == .results { reloading.start { [weak self] in await self?.reload() } }
        case .completed: reloading.start { [weak self] in await self?.reload() }
        case .error(let problem) where problem.photo == nil:
            fail(ShelflistError(.scanFailed, problem.message, "Take the photos again."))
        case .canceled:
            fail(ShelflistError(.cancelled, "The scan was cancelled on another device.", "Start it again."))
        case .error, .imported, .enrichmentDegraded, .unknown: break
        }
    }

    private func merge(_ book: ScanBook) {
        if let index = books.firstIndex(where: { $0.id == book.id }) {
            books[index] = book
        } else {
            books.append(book)
        }
    }

    private func update(_ id: ScanPhotoState.ID, _ change: (inout ScanPhotoState) -> Void) {
        guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
        change(&photos[index])
    }

    /// - Parameter number: of the photo in the scan; a scan of an earlier run of the app has photos of its own.
    private func update(number: Int, _ change: (inout ScanPhotoState) -> Void) {
        if batch.isEmpty {
            while photos.count < number { photos.append(ScanPhotoState(id: photos.count + 1)) }
            return update(number, change)
        }
        if batch.sent.indices.contains(number - 1) { update(batch.sent[number - 1], change) }
    }

    private func reload() async {
        guard let jobID else { return }
        do {
            let results = try await client.scans.results(jobID)
            guard self.jobID == jobID, !Task.isCancelled else { return }
            self.results = results
            phase = .results
        } catch {
            guard self.jobID == jobID, error.category != .cancelled else { return }
            if phase == .results { self.error = error } else { fail(error) }
        }
    }

    // MARK: Results

    /// Adds the books to the library, if the scan was not asked to add them itself.
    public func addToLibrary(_ request: ScanImportRequest = ScanImportRequest()) async {
        await act { jobID throws(ShelflistError) in _ = try await self.client.scans.add(request, from: jobID) }
    }

    /// Saves an edit, a match or "Not a book" for a book of the results.
    public func change(_ book: ScanBook.ID, _ change: ScanBookChange) async {
        await act { jobID throws(ShelflistError) in
            _ = try await self.client.scans.change(book, of: jobID, change)
        }
    }

    /// Removes the books of this scan from the library again.
    public func undo() async {
        guard let token = results?.undoToken else { return }
        await act { _ throws(ShelflistError) in try await self.client.undo(token) }
    }

    private func act(_ request: (String) async throws(ShelflistError) -> Void) async {
        guard phase == .results, let jobID else { return }
        do {
            try await request(jobID)
            error = nil
        } catch {
            self.error = error
            return
        }
        await reload()
    }

    // MARK: Countdown

    private func startCountdown(_ time: Duration, on clock: some Clock<Duration>) {
        let end = clock.now.advanced(by: time)
        countdown = time.inWholeSeconds
        ticking.start { [weak self] in
            while !Task.isCancelled {
                // From the end, so that late wake-ups do not add up.
                let left = clock.now.duration(to: end).inWholeSeconds
                self?.countdown = left
                guard left > .zero else { return }
                let next = end.advanced(by: .seconds(1) - left)
                do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
            }
        }
    }

    private func stopCountdown() {
        ticking.cancel()
        countdown = nil
    }
}

extension Duration {
    /// Rounded up, and not negative.
    fileprivate var inWholeSeconds: Duration {
        let (seconds, rest) = components
        return .seconds(max(0, rest > 0 ? seconds + 1 : seconds))
    }
}
