public import Observation
public import ShelflistClient

/// A scan of up to five photos of shelves, from the explanation before the first photo to the books.
///
/// ```swift
/// let model = ScanModel(client: client)
/// model.begin()
/// let photo = model.add { .data(try await shrink(picture)) }
/// if let photo, retake { model.remove(photo) }
/// model.start()
/// ```
///
/// Call `leave` where the person leaves the scanner. Store `jobID` to `follow` the scan after a restart of the app.
@MainActor @Observable
public final class ScanModel: ActingModel {
    /// What the scanner shows.
    public private(set) var phase = Phase.primer
    /// The photos in the order of the scan.
    public var photos: [ScanPhotoState] { scan.photos }
    /// The latest progress of the server, with a sentence for people.
    public var progress: JobEvent.Progress? { scan.progress }
    /// The books found so far, in the order of their discovery.
    public var books: [ScanBook] { scan.books }
    /// The books with what became of them, in the phase `results`.
    public private(set) var results: ScanResults?
    /// The time until the next attempt, in whole seconds, while the server asks to wait or cannot be reached.
    public var countdown: Duration? { timer.remaining }
    /// What is wrong: with the connection while there is a `countdown`, else with the last action or the scan.
    public internal(set) var error: ShelflistError?
    /// The scan's identifier on the server, once it has accepted the scan.
    public private(set) var jobID: String?

    private var scan = ScanState()
    private let timer = Countdown()
    @ObservationIgnored let client: ShelflistClient
    @ObservationIgnored private var options: ScanOptions
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private var session: ScanSession?
    @ObservationIgnored private let work = LatestTask()
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
        return scan.add(prepare)
    }

    /// Removes a photo before the scan.
    public func remove(_ id: ScanPhotoState.ID) {
        guard phase == .capture else { return }
        scan.remove(id)
    }

    // MARK: The scan

    /// Prepares and sends the photos, and follows the scan to its results.
    public func start() {
        guard phase == .capture, !photos.isEmpty else { return }
        renew()
        run()
    }

    /// Continues a scan that failed; photos that the server has are not sent again.
    public func retry() {
        guard phase == .failed else { return }
        if let jobID, scan.isFollowed { return follow(jobID) }
        guard !photos.isEmpty else { return }
        // The server has ended the scan, so that the same photos are another one.
        if error?.category == .scanFailed || error?.category == .cancelled { renew() }
        run()
    }

    /// Follows a scan that was started before, for example by an earlier run of the app.
    ///
    /// ```swift
    /// if let job = stored ?? model.jobID { model.follow(job) }
    /// ```
    public func follow(_ jobID: String) {
        guard [.primer, .capture, .results, .failed].contains(phase) else { return }
        clear(.analysing)
        self.jobID = jobID
        listen(to: client.follow(jobID))
    }

    /// Ends a running scan, here at once and on the server within a few seconds, and drops its photos.
    ///
    /// Results stay. Call it where the scanner disappears, unless the scan is to continue without it.
    ///
    /// ```swift
    /// await model.leave()
    /// ```
    public func leave() async {
        guard [.preprocessing, .uploading, .analysing].contains(phase) else { return }
        let session = session
        clear(.capture)
        await session?.cancel()
    }

    private func clear(_ phase: Phase) {
        work.cancel()
        reloading.cancel()
        timer.stop()
        (session, scan, results, error, jobID) = (nil, ScanState(), nil, nil, nil)
        self.phase = phase
    }

    /// Makes the next run another scan for the server.
    private func renew() {
        options.idempotencyKey = ScanOptions().idempotencyKey
        scan.forgetSent()
        jobID = nil
    }

    private func run() {
        reloading.cancel()
        error = nil
        scan.begin()
        phase = .preprocessing
        work.start { [weak self] in
            guard let photos = await self?.prepare(), !Task.isCancelled, let self else { return }
            phase = .uploading
            listen(to: client.scan(photos, options: options))
        }
    }

    /// Returns the photos that could be prepared; nil if none could.
    private func prepare() async -> [PhotoSource]? {
        var prepared: [(id: ScanPhotoState.ID, photo: PhotoSource)] = []
        var last: ShelflistError?
        for id in scan.idsToSend {
            guard let prepare = scan.preparation(of: id) else { continue }
            scan.set(.preprocessing, of: id)
            do {
                let photo = try await prepare()
                if Task.isCancelled { return nil }
                prepared.append((id, photo))
                scan.set(.waiting, of: id)
            } catch {
                if Task.isCancelled { return nil }
                let error = ShelflistError.preparation(error)
                last = error
                scan.set(.failed(error), of: id)
            }
        }
        guard scan.canSend(prepared.map(\.id)) else {
            fail(last)
            return nil
        }
        scan.send(prepared.map(\.id))
        return prepared.map(\.photo)
    }

    private func listen(to session: ScanSession) {
        self.session = session
        work.start { [weak self] in
            do {
                for try await event in session.events {
                    // The session ends with the model, the scan on the server does not. What a scan reports that was
                    // followed before is late.
                    guard let self, !Task.isCancelled else { return }
                    self.jobID = session.jobID
                    self.receive(event)
                }
            } catch {
                guard let self, !Task.isCancelled, let error = error as? ShelflistError else { return }
                if phase == .results { self.error = error } else { fail(error) }
            }
        }
    }

    private func fail(_ error: ShelflistError?) {
        timer.stop()
        self.error = error
        phase = .failed
    }

    // MARK: Events

    private func receive(_ event: ScanEvent) {
        if case .connection(.waiting(let time, let error)) = event {
            self.error = error
            return timer.start(time, on: clock)
        }
        if countdown != nil {
            timer.stop()
            error = nil
        }
        switch event {
        case .uploading(let upload):
            if phase != .results { phase = upload.sent < upload.total ? .uploading : .analysing }
            scan.receive(upload)
        case .photoRefused(let number, let error): scan.refuse(photo: number, error)
        case .connection: break
        case .job(let event):
            scan.receive(event.content)
            follow(event.content)
        }
    }

    /// Changes the phase as the server's event requires.
    private func follow(_ event: JobEvent.Content) {
        switch event {
        case .completed: reloading.start { [weak self] in await self?.reload() }
        // What became of the books may have changed, too.
        case .updated where phase == .results: reloading.start { [weak self] in await self?.reload() }
        case .error(let problem) where problem.photo == nil:
            fail(ShelflistError(.scanFailed, problem.message, "Take the photos again."))
        case .canceled:
            fail(ShelflistError(.cancelled, "The scan was cancelled on another device.", "Start it again."))
        default: break
        }
    }

    func reload() async {
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
}
