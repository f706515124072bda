import Foundation
import ShelfScannerCore
import ShelflistClientTesting
import Synchronization
import TestSupport
import Testing

/// Keeps the account in memory.
private final class MemoryStore: AppStore {
    private let state = Mutex<(account: SignInModel.Account?, theme: Theme)>((nil, .liquidBlue))

    func account() -> SignInModel.Account? { state.withLock(\.account) }
    func keep(_ account: SignInModel.Account?) { state.withLock { $0.account = account } }
    func theme() -> Theme { state.withLock(\.theme) }
    func keep(_ theme: Theme) { state.withLock { $0.theme = theme } }
}

private struct CreatedToken: Encodable {
    struct Token: Encodable { var id = "t1" }
    var secret = "secret"
    var token = Token()
}

@MainActor @Suite(.endsHangs)
struct AppModelTests {
    private let server = ScriptedServer()
    private let store = MemoryStore()

    private func signedIn(_ isSignedIn: Bool) throws {
        let limits = AboutServer.Limits(
            photoBytes: 1, photoPixels: 1, photosPerJob: 1, jobsInFlight: 1, requestsPerMinute: 1, resultHours: 1)
        try server.answer("GET /api/v1/about", with: AboutServer(version: "0.1.0", commit: nil, limits: limits))
        let session = SessionState(
            setupNeeded: false, signedIn: isSignedIn, member: nil, confirmed: false, via: "token", openId: nil)
        try server.answer("GET /api/v1/session", with: session)
    }

    private func app(_ folder: URL) -> AppModel {
        let server = server
        return AppModel(store: store, device: "iPhone", folder: folder) { _ in server.client(clock: HeldClock()) }
    }

    @Test("A token opens the session, which the next start opens again, and signing out forgets it")
    func token() async throws {
        let folder = try TemporaryFolder()
        try signedIn(false)
        let app = app(folder.url)
        app.signIn.address = " books.example.org "
        await app.signIn.connect()
        #expect(app.signIn.step == .member && app.signIn.error == nil && app.session == nil)
        try signedIn(true)
        app.signIn.token = "secret"
        await app.signIn.signIn()
        app.finishSignIn()
        #expect(app.session != nil)
        let account = try #require(store.account())
        #expect(account.address.absoluteString == "https://books.example.org" && account.token == "secret")
        #expect(self.app(folder.url).session != nil)
        app.signOut()
        #expect(app.session == nil && store.account() == nil && app.signIn.step == .address)
    }

    @Test("A second factor is asked for, and its code gives a token")
    func secondFactor() async throws {
        let folder = try TemporaryFolder()
        try signedIn(false)
        let model = app(folder.url).signIn
        model.address = "books.example.org"
        await model.connect()
        (model.name, model.password) = ("ann", "long enough")
        let needed = Problem("code_needed", status: 401, title: "Code", detail: "Enter the code.")
        server.fail(.problem(needed), "POST /api/v1/session")
        await model.signIn()
        #expect(model.step == .code && model.error?.problem?.code == "code_needed")
        try server.answer("POST /api/v1/session", with: CreatedToken())
        try server.answer("POST /api/v1/tokens", with: CreatedToken())
        try signedIn(true)
        model.code = "123456"
        await model.signIn()
        #expect(model.step == .done && model.account?.token == "secret" && model.password.isEmpty)
    }

    @Test("What is not an address is not asked", arguments: ["", "ftp://example.org", "https://"])
    func addresses(text: String) async throws {
        let folder = try TemporaryFolder()
        let model = app(folder.url).signIn
        model.address = text
        await model.connect()
        #expect(model.error?.category == .invalid && server.requests.isEmpty)
    }

    @Test("A photo is looked at before it joins the batch, which is kept on the device")
    func capture() async throws {
        let folder = try TemporaryFolder()
        store.keep(SignInModel.Account(address: folder.url, token: nil))
        let session = try #require(app(folder.url).session)
        let capture = session.capture
        capture.captured(Data([1]))
        #expect(capture.photos.isEmpty && capture.pending != nil)
        capture.retake()
        for byte in 1...6 as ClosedRange<UInt8> {
            capture.captured(Data([byte]))
            capture.usePending()
        }
        #expect(capture.photos.count == 5 && !capture.hasRoom && capture.pending == nil)
        capture.remove(at: 0)
        await capture.keep(in: session.scans)
        #expect(capture.photos.isEmpty && session.scans.scans.count == 1 && session.scans.unfinished == 1)
        #expect(try #require(app(folder.url).session).scans.scans.count == 1)
    }

    @Test("The viewfinder shows the outlines of the server, and works without them")
    func preview() async throws {
        let folder = try TemporaryFolder()
        let capture = CaptureModel(client: server.client(clock: HeldClock()))
        let spine = SpineOutline(UnitRect(x: 0, y: 0, width: 1, height: 1))
        try server.answer(
            "POST /api/v1/preview", with: ViewfinderPreview(width: 4, height: 3, spines: [spine]), times: 1)
        await capture.see(brightness: 0.5, rotation: 0, tilt: 0, frame: Data([1]))
        #expect(capture.preview?.spines == [spine])
        await capture.see(brightness: 0.5, rotation: 0, tilt: 0, frame: Data([1]))
        #expect(capture.preview == nil && capture.guidance == .ready)
        capture.choose(.success(folder.url.appending(path: "none.jpg")))
        #expect(capture.message != nil && capture.pending == nil)
    }

    @Test("A picture is loaded once, and the oldest is dropped")
    func pictures() async throws {
        let pictures = PictureModel(client: server.client(clock: HeldClock()), limit: 1)
        try server.answer("GET /api/v1/covers/*", with: "picture")
        for path in ["/api/v1/covers/a", "/api/v1/covers/a", "/api/v1/covers/b"] as [ServerPath] {
            await pictures.load(path)
        }
        #expect(server.requests.count == 2)
        #expect(pictures.picture("/api/v1/covers/a") == nil && pictures.picture("/api/v1/covers/b") != nil)
    }
}
