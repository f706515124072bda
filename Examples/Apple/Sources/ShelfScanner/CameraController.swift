#if canImport(SwiftUI) && canImport(UIKit)
    import AVFoundation
    import CoreMotion
    import Observation
    import ShelfScannerCore
    import UIKit

    /// What a frame of the viewfinder says.
    struct CameraFrame: Sendable {
        var brightness: Double
        var rotation: Double
        var tilt: Double
        var jpeg: Data?
    }

    /// The camera of the device.
    @MainActor @Observable
    final class CameraController {
        private(set) var isDenied = false
        @ObservationIgnored let session = AVCaptureSession()
        @ObservationIgnored let frames: AsyncStream<CameraFrame>
        @ObservationIgnored private let output = AVCapturePhotoOutput()
        @ObservationIgnored private let motion = CMMotionManager()
        @ObservationIgnored private let sampler: FrameSampler
        @ObservationIgnored private var delegates: Set<PhotoDelegate> = []

        init() {
            let (frames, continuation) = AsyncStream.makeStream(
                of: CameraFrame.self, bufferingPolicy: .bufferingNewest(1))
            self.frames = frames
            sampler = FrameSampler(motion: motion, continuation: continuation)
        }

        /// Asks for the permission the first time, and shows the picture.
        func start() async {
            isDenied = await !AVCaptureDevice.requestAccess(for: .video)
            guard !isDenied, session.inputs.isEmpty, let device = AVCaptureDevice.default(for: .video),
                let input = try? AVCaptureDeviceInput(device: device)
            else { return resume() }
            session.beginConfiguration()
            session.sessionPreset = .photo
            if session.canAddInput(input) { session.addInput(input) }
            if session.canAddOutput(output) { session.addOutput(output) }
            sampler.attach(to: session)
            session.commitConfiguration()
            resume()
        }

        func stop() {
            motion.stopDeviceMotionUpdates()
            run { $0.stopRunning() }
        }

        /// - Returns: the photo, scaled; nil if none could be taken.
        func takePhoto() async -> Data? {
            let data = await withCheckedContinuation { continuation in
                let delegate = PhotoDelegate { continuation.resume(returning: $0) }
                delegates = [delegate]
                output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
            }
            delegates = []
            return await data.scaledPhoto()
        }

        private func resume() {
            guard !isDenied else { return }
            motion.startDeviceMotionUpdates()
            run { $0.startRunning() }
        }

        /// Starting and stopping block, and AVFoundation allows them on any thread.
        private func run(_ action: @escaping @Sendable (AVCaptureSession) -> Void) {
            nonisolated(unsafe) let session = session
            Task.detached { action(session) }
        }
    }

    /// Receives one photo.
    private final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        private let done: @Sendable (Data?) -> Void

        init(_ done: @escaping @Sendable (Data?) -> Void) { self.done = done }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) {
            done(photo.fileDataRepresentation())
        }
    }

    extension Data? {
        /// The photo upright, at the size at which photos are sent.
        fileprivate nonisolated func scaledPhoto() async -> Data? {
            guard let self, let image = UIImage(data: self) else { return nil }
            let size = PhotoSize.scaled(
                width: Int(image.size.width * image.scale), height: Int(image.size.height * image.scale))
            let format = UIGraphicsImageRendererFormat()
            format.scale = 1
            let target = CGRect(x: 0, y: 0, width: size.width, height: size.height)
            return UIGraphicsImageRenderer(size: target.size, format: format)
                .jpegData(withCompressionQuality: PhotoSize.quality) { _ in image.draw(in: target) }
        }
    }
#endif
