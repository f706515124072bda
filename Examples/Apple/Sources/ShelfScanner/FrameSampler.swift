#if canImport(SwiftUI) && canImport(UIKit)
    import AVFoundation
    import CoreImage
    import CoreMotion

    /// Measures frames of the viewfinder, and makes a small picture of one each second.
    final class FrameSampler: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
        private let motion: CMMotionManager
        private let continuation: AsyncStream<CameraFrame>.Continuation
        private let queue = DispatchQueue(label: "frames")
        private let context = CIContext()
        private var latest = Date.distantPast

        init(motion: CMMotionManager, continuation: AsyncStream<CameraFrame>.Continuation) {
            (self.motion, self.continuation) = (motion, continuation)
        }

        func attach(to session: AVCaptureSession) {
            let output = AVCaptureVideoDataOutput()
            output.alwaysDiscardsLateVideoFrames = true
            output.setSampleBufferDelegate(self, queue: queue)
            if session.canAddOutput(output) { session.addOutput(output) }
        }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput buffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            guard let pixels = CMSampleBufferGetImageBuffer(buffer), Date().timeIntervalSince(latest) >= 1 else {
                return
            }
            latest = Date()
            let picture = CIImage(cvPixelBuffer: pixels).oriented(.right)
            let scale = 1024 / max(picture.extent.width, picture.extent.height)
            let small = picture.transformed(by: CGAffineTransform(scaleX: scale, y: scale))
            let jpeg = CGColorSpace(name: CGColorSpace.sRGB).flatMap {
                context.jpegRepresentation(of: small, colorSpace: $0)
            }
            let rate = motion.deviceMotion?.rotationRate
            let gravity = motion.deviceMotion?.gravity
            continuation.yield(
                CameraFrame(
                    brightness: brightness(of: small),
                    rotation: rate.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() } ?? 0,
                    tilt: gravity.map { atan2($0.x, -$0.y) * 180 / .pi } ?? 0, jpeg: jpeg))
        }

        /// The mean of the picture, 0...1.
        private func brightness(of picture: CIImage) -> Double {
            let mean = picture.applyingFilter(
                "CIAreaAverage", parameters: [kCIInputExtentKey: CIVector(cgRect: picture.extent)])
            var pixel = [UInt8](repeating: 0, count: 4)
            context.render(
                mean, toBitmap: &pixel, rowBytes: 4, bounds: CGRect(x: 0, y: 0, width: 1, height: 1), format: .RGBA8,
                colorSpace: nil)
            return (Double(pixel[0]) + Double(pixel[1]) + Double(pixel[2])) / (3 * 255)
        }
    }
#endif
