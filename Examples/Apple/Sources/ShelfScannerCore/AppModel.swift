public import Foundation
public import Observation
public import ShelflistModels

/// Where the account and the choices of this device are kept.
public protocol AppStore: Sendable {
    func account() -> SignInModel.Account?
    func keep(_ account: SignInModel.Account?)
    func theme() -> Theme
    func keep(_ theme: Theme)
}

/// The app: signed out, or a session with a server.
@MainActor @Observable
public final class AppModel {
    /// Nil while no server is chosen.
    public private(set) var session: Session?
    /// For the time without a session.
    public private(set) var signIn: SignInModel
    /// The colours.
    public var theme: Theme { didSet { store.keep(theme) } }
    /// What is wrong with the queue of this device.
    public private(set) var error: ShelflistError?

    @ObservationIgnored private let store: any AppStore
    @ObservationIgnored private let device: String
    @ObservationIgnored private let folder: URL
    @ObservationIgnored private let client: @Sendable (SignInModel.Account) -> ShelflistClient

    /// - Parameters:
    ///   - store: of the account.
    ///   - device: the name of this device.
    ///   - folder: for the photos that wait.
    ///   - client: returns a client; tests return one of a scripted server.
    public init(
        store: any AppStore, device: String, folder: URL,
        client: @escaping @Sendable (SignInModel.Account) -> ShelflistClient = { $0.client() }
    ) {
        (self.store, self.device, self.folder, self.client) = (store, device, folder, client)
        signIn = SignInModel(device: device, client: client)
        theme = store.theme()
        if let account = store.account() { open(account) }
    }

    /// Opens the session that the sign-in has given.
    public func finishSignIn() {
        guard let account = signIn.account else { return }
        store.keep(account)
        open(account)
    }

    /// Forgets the account; the token can be revoked in the web app.
    public func signOut() {
        store.keep(SignInModel.Account?.none)
        session = nil
        signIn = SignInModel(device: device, client: client)
    }

    private func open(_ account: SignInModel.Account) {
        do {
            session = try Session(client: client(account), folder: folder)
            error = nil
        } catch {
            self.error = error
        }
    }
}

/// The models of the screens, which share a client.
@MainActor @Observable
public final class Session {
    public let client: ShelflistClient
    public let scan: ScanModel
    public let scans: ScanListModel
    public let capture: CaptureModel
    public let review: ReviewQueueModel
    public let library: LibraryModel
    public let settings: SettingsModel
    public let pictures: PictureModel
    /// The shelves, by path.
    public private(set) var shelves: [LibraryShelf] = []
    /// What is wrong with the list of shelves.
    public private(set) var error: ShelflistError?

    init(client: ShelflistClient, folder: URL) throws(ShelflistError) {
        self.client = client
        scan = ScanModel(client: client, options: ScanOptions(addsToLibrary: true))
        scans = ScanListModel(client: client, queue: try ScanQueue(folder: folder, client: client))
        capture = CaptureModel(client: client)
        review = ReviewQueueModel(client: client)
        library = LibraryModel(client: client)
        settings = SettingsModel(client: client)
        pictures = PictureModel(client: client)
    }

    public func loadShelves() async {
        do {
            var all: [LibraryShelf] = []
            for try await shelf in client.shelves.all { all.append(shelf) }
            shelves = all.sorted { $0.path < $1.path }
            error = nil
        } catch {
            if error.category != .cancelled { self.error = error }
        }
    }

    public func details(of book: ScanResultBook) -> ResultModel { ResultModel(client: client, scan: scan, book: book) }

    public func correction(of item: ReviewQueueItem) -> CorrectionModel { CorrectionModel(client: client, item: item) }

    public func match(of item: ReviewQueueItem) -> ManualMatchModel { ManualMatchModel(client: client, item: item) }

    public func details(of book: LibraryBook) -> BookModel { BookModel(client: client, book: book) }

    public func details(of shelf: LibraryShelf) -> ShelfModel { ShelfModel(client: client, shelf: shelf) }
}
