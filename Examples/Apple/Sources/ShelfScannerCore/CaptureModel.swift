public import Foundation
public import Observation
public import ShelflistModels

/// The camera: a photo is looked at before it is used, and up to five are scanned together.
@MainActor @Observable
public final class CaptureModel {
    /// The photo that was just taken; nil while the camera is shown.
    public private(set) var pending: Data?
    /// The photos to be scanned.
    public private(set) var photos: [Data] = []
    /// What the viewfinder says.
    public private(set) var guidance = CameraGuidance.findShelf
    /// The outlines of the spines in the viewfinder.
    public private(set) var preview: ViewfinderPreview?

    /// Why a file could not be read.
    public private(set) var message: String?

    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private var isAsking = false

    public init(client: ShelflistClient) { self.client = client }

    /// Whether another photo can be taken.
    public var hasRoom: Bool { photos.count < ScanModel.photoLimit }

    /// Shows a photo to be used or taken again.
    public func captured(_ jpeg: Data) { if hasRoom { pending = jpeg } }

    /// Shows the photo of a file, in place of one of the camera.
    public func choose(_ file: Result<URL, any Error>) {
        do {
            captured(try Data(contentsOf: file.get()))
            message = nil
        } catch {
            message = "The photo could not be read: \(error.localizedDescription)"
        }
    }

    public func retake() { pending = nil }

    /// Adds the photo that is shown to the batch.
    public func usePending() {
        guard let pending, hasRoom else { return }
        photos.append(pending)
        self.pending = nil
    }

    public func remove(at index: Int) {
        guard photos.indices.contains(index) else { return }
        photos.remove(at: index)
    }

    /// Scans the photos now.
    public func start(_ scan: ScanModel) {
        scan.begin()
        for photo in take() { scan.add { .data(photo, name: "shelf.jpg") } }
        scan.start()
    }

    /// Keeps the photos on this device; they are sent in the background and when there is a network.
    public func keep(in list: ScanListModel) async {
        await list.add(take().map { .data($0, name: "shelf.jpg") })
    }

    /// Takes the measures of a frame, and asks the server for its spines unless it is asked already.
    ///
    /// - Parameter frame: JPEG of at most 2 megapixels; nil to ask for none.
    public func see(brightness: Double, rotation: Double, tilt: Double, frame: Data?) async {
        guidance = CameraGuidance(
            brightness: brightness, rotation: rotation, tilt: tilt, spines: preview?.spines.count)
        guard let frame, !isAsking else { return }
        isAsking = true
        defer { isAsking = false }
        do {
            preview = try await client.preview(.data(frame))
        } catch {
            // The server is busy or away: the camera works without outlines.
            preview = nil
        }
    }

    private func take() -> [Data] {
        defer { photos = [] }
        return photos
    }
}
