import Bounds
import ShelflistAPI

extension Suggestion {
    static let blur = Suggestion(code: .blur, message: "Hold steady: the photo is blurred.")
    static let dark = Suggestion(code: .dark, message: "Too dark to read. Try more light from the front.")
    static let glare = Suggestion(
        code: .glare, message: "Turn off the flash: glare hides part of the spines.")

    static func tilt(degrees: Double) -> Suggestion {
        let whole = Int(saturating: min(abs(degrees), 360).rounded())
        return Suggestion(code: .tilt, message: "Hold the phone level: the shelf tilts by \(whole) degrees.")
    }

    static func cut(at edges: [PhotoEdge]) -> Suggestion {
        let places = PhotoEdge.allCases.filter(edges.contains).map(\.rawValue)
        let list = [places.dropLast().joined(separator: ", "), places.last ?? ""].filter { !$0.isEmpty }
        return Suggestion(
            code: .cutAtEdge,
            message: "Step back a little. Some books are cut off \(list.joined(separator: " and ")).")
    }
}

/// A side of the photo after EXIF rotation.
///
/// The raw value is the place in a sentence.
package enum PhotoEdge: String, CaseIterable, Sendable {
    case left = "on the left"
    case right = "on the right"
    case top = "at the top"
    case bottom = "at the bottom"
}
