import Crypto
import Foundation
package import Imaging
package import Reading
package import ShelflistAPI
import SpineReading
import Synchronization

/// Has photos read by the workers of a queue, and identifies their books here, where catalog and library are.
///
/// Frames of a viewfinder and spines that a person cut out are read here: a person waits for them.
package struct QueuedReader: ShelfReading {
    private var scanner: PhotoScanner
    private let offers: QueueOffers
    private let kept: KeptTexts?
    private let places: PlacesHere

    /// - Parameters:
    ///   - offers: has to run.
    ///   - kept: where the text of photos is kept for a command that is run again; nil for nowhere.
    ///   - readHere: how many photos are read on this machine at once, besides those of the workers.
    package init(scanner: PhotoScanner, offers: QueueOffers, kept: KeptTexts? = nil, readHere: Int = 0) {
        self.scanner = scanner
        self.offers = offers
        self.kept = kept
        places = PlacesHere(count: readHere)
    }

    package var readsElsewhere: Bool { true }

    package func reading(shelf: String?) -> any ShelfReading {
        var reader = self
        reader.scanner.shelf = shelf
        return reader
    }

    package func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        try await read(bytes, name: name, preprocessing: preprocessing, began: {}, report: report)
    }

    package func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        began: @escaping @Sendable () async throws -> Void, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        if places.take() {
            defer { places.giveBack() }
            try await began()
            return try await scanner.read(bytes, name: name, preprocessing: preprocessing, report: report)
        }
        var text = try await text(of: bytes, scanner.request(preprocessing), began: began, report: report)
        try Task.checkCancellation()
        report(.stage(.identify))
        let photo = try await scanner.measure(bytes, filters: text.filters, turn: text.shelf.turn)
        try text.check(against: photo)
        (text.quality, text.shelf.edges) = (photo.quality, photo.edges)
        try Task.checkCancellation()
        return try await scanner.identify(text, name: name)
    }

    private func text(
        of bytes: [UInt8], _ request: TextRequest, began: @Sendable () async throws -> Void,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> PhotoText {
        guard bytes.count <= request.limits.maxBytes, !bytes.isEmpty else {
            // The same error as on any other machine, without sending the photo.
            return try await scanner.readText(bytes, request, report: report)
        }
        let message = try request.message()
        let key = Self.key(bytes, message)
        if let text = kept?.text(key, limits: request.limits) { return text }
        let photo = OfferedPhoto(key: key, bytes: bytes, request: message)
        let outcome = try await offers.read(photo) { body in
            // A report that is not understood is of a newer worker; the result counts.
            if let progress = try? ReadingProgress(report: body) { report(progress) }
        }
        try await began()
        switch outcome {
        case .done(let result):
            let text = try PhotoText(result: result, limits: request.limits)
            try kept?.keep(result, as: key)
            return text
        case .failed(let failure): throw try FailureMessage(message: failure, "a failure").error
        case .abandoned(let attempts):
            throw WorkerError(
                description: "\(attempts) workers stopped while they read it; save it in another format")
        }
    }

    /// The same for the same photo and request, so that a photo that was offered before a restart is found again.
    private static func key(_ bytes: [UInt8], _ request: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(data: request)
        hash.update(data: bytes)
        return hash.finalize().map { String(format: "%02x", $0) }.joined()
    }

    package func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { try await scanner.identify(photo) }

    package func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        try await scanner.preview(frame, limits: limits)
    }

    package func reread(_ spine: RGBImage) async throws -> DetectedBook { try await scanner.reread(spine) }
}

/// Places for photos that are read on this machine.
private final class PlacesHere: Sendable {
    private let free: Mutex<Int>

    init(count: Int) { free = Mutex(count) }

    /// - Returns: false where none is free.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func giveBack() { free.withLock { $0 += 1 } }
}
