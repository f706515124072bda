package import Imaging
package import Reading
package import ShelflistAPI

/// A reader of its own photos that does the rest as `ScriptedReader` does.
package protocol ScriptedReading: ShelfReading {
    var scripted: ScriptedReader { get }
}

extension ScriptedReading {
    package func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { photo }

    package func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        try await scripted.preview(frame, limits: limits)
    }

    package func reread(_ spine: RGBImage) async throws -> DetectedBook { try await scripted.reread(spine) }
}
