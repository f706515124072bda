internal import Bounds
internal import CFreeType
package import Foundation
import ShelflistAPI
import Synchronization

/// One line of text as a path: its baseline starts at the origin and runs along the x axis, in pixels.
package struct TextRun: Hashable, Sendable {
    package var path: Path
    /// The advance to the next text, in pixels.
    package var width: Double
}

/// A font file that could not be opened.
package struct TypefaceError: ReportedError {
    package var problemCode: String { "font_unusable" }

    package let description: String
}

/// A font opened from a file; its glyphs are outlines, so they can be drawn at any size and angle.
///
/// Safe to share: access to FreeType's face is serialised by a lock, and each glyph is loaded once and then cached as
/// a value.
package final class Typeface: Sendable {
    /// Cap height as a share of the font size.
    package let capHeight: Double
    private let face: Mutex<Face>

    /// Opens the first font in a TrueType, OpenType or Type 1 file.
    ///
    /// Throws `TypefaceError`.
    package init(file: URL) throws {
        var opened = try Face(file: file)
        capHeight = opened.glyph("H")?.path.bounds.map { -$0.y } ?? 0.7
        face = Mutex(opened)
    }

    deinit { face.withLock { $0.close() } }

    /// Lays out one line of text at `size` pixels per em, adding `tracking` pixels after every character.
    ///
    /// Characters without a glyph and control characters are skipped.
    package func run(_ text: String, size: Double, tracking: Double = 0) -> TextRun {
        var line = TextRun(path: Path(), width: 0)
        for (glyph, kerning) in glyphs(of: text) {
            line.width += kerning * size
            let start = PixelPoint(x: line.width, y: 0)
            line.path.contours += glyph.path.map { $0 * size + start }.contours
            line.width += glyph.advance * size + tracking
        }
        return line
    }

    /// Width in pixels of a line of text at `size` pixels per em.
    package func width(of text: String, size: Double) -> Double {
        glyphs(of: text).reduce(0) { $0 + $1.glyph.advance + $1.kerning } * size
    }

    /// Truncates the text with an ellipsis to fit into `width` pixels; empty if no character fits.
    package func shortened(_ text: String, size: Double, toFit width: Double) -> String {
        guard self.width(of: text, size: size) > width else { return text }
        let letters = Array(text)
        var (fits, tooLong) = (0, letters.count)
        func cut(_ count: Int) -> String {
            String(letters.prefix(count)).trimmingCharacters(in: .whitespaces.union(.init(charactersIn: ",;:-–—")))
                + "…"
        }
        while tooLong - fits > 1 {
            let middle = (fits + tooLong) / 2
            if self.width(of: cut(middle), size: size) <= width { fits = middle } else { tooLong = middle }
        }
        return fits > 0 ? cut(fits) : ""
    }

    /// Whether the font has glyphs for all scalars of the character.
    package func draws(_ character: Character) -> Bool {
        face.withLock { face in
            String(character).precomposedStringWithCanonicalMapping.unicodeScalars.allSatisfy { face.glyph($0) != nil }
        }
    }

    private func glyphs(of text: String) -> [(glyph: Glyph, kerning: Double)] {
        face.withLock { face in
            var previous: Glyph?
            return text.precomposedStringWithCanonicalMapping.unicodeScalars.compactMap { scalar in
                guard !scalar.properties.isControl, let glyph = face.glyph(scalar) else { return nil }
                defer { previous = glyph }
                return (glyph, previous.map { face.kerning($0, glyph) } ?? 0)
            }
        }
    }
}

/// A glyph in em units: x to the right, y down, the baseline at zero.
private struct Glyph: Sendable {
    var index: UInt32
    var path: Path
    var advance: Double
}

/// Owns the FreeType library and face and frees both in `close`, which the typeface calls once.
private struct Face {
    private let library: FT_Library
    private let face: FT_Face
    private var cache: [Unicode.Scalar: Glyph?] = [:]

    init(file: URL) throws {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0, let library else {
            throw TypefaceError(description: "FreeType ran out of memory. Close other programs and try again.")
        }
        var face: FT_Face?
        guard FT_New_Face(library, file.path, 0, &face) == 0, let face else {
            FT_Done_FreeType(library)
            throw TypefaceError(
                description: "The font \(file.path) could not be opened. Check that the file exists and is a "
                    + "TrueType or OpenType font.")
        }
        guard face.pointee.face_flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0, face.pointee.units_per_EM > 0 else {
            FT_Done_Face(face)
            FT_Done_FreeType(library)
            throw TypefaceError(description: "The font \(file.path) contains bitmaps. Use an outline font.")
        }
        self.library = library
        self.face = face
    }

    func close() {
        FT_Done_Face(face)
        FT_Done_FreeType(library)
    }

    private var unitsPerEm: Double { Double(face.pointee.units_per_EM) }

    /// Returns `nil` if the font has no glyph for the scalar.
    mutating func glyph(_ scalar: Unicode.Scalar) -> Glyph? {
        if let known = cache[scalar] { return known }
        let glyph = load(scalar)
        cache[scalar] = .some(glyph)
        return glyph
    }

    func kerning(_ left: Glyph, _ right: Glyph) -> Double {
        guard face.pointee.face_flags & FT_Long(FT_FACE_FLAG_KERNING) != 0 else { return 0 }
        var vector = FT_Vector()
        FT_Get_Kerning(face, left.index, right.index, FT_KERNING_UNSCALED.rawValue, &vector)
        return Double(vector.x) / unitsPerEm
    }

    private func load(_ scalar: Unicode.Scalar) -> Glyph? {
        let index = FT_Get_Char_Index(face, FT_ULong(scalar.value))
        guard index != 0, FT_Load_Glyph(face, index, FT_Int32(FT_LOAD_NO_SCALE)) == 0,
            let slot = face.pointee.glyph, slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
        else { return nil }
        var pen = OutlinePen(unit: 1 / unitsPerEm)
        guard pen.draw(&slot.pointee.outline) else { return nil }
        return Glyph(
            index: index, path: Path(contours: pen.contours),
            advance: Double(slot.pointee.metrics.horiAdvance) / unitsPerEm)
    }
}

/// Receives an outline from FreeType and flattens its curves.
private struct OutlinePen {
    let unit: Double
    private(set) var contours: [[PixelPoint]] = []

    mutating func draw(_ outline: inout FT_Outline) -> Bool {
        var steps = FT_Outline_Funcs()
        steps.move_to = { to, pen in OutlinePen.with(pen) { $0.contours.append([$0.point(to)]) } }
        steps.line_to = { to, pen in OutlinePen.with(pen) { $0.line(to: $0.point(to)) } }
        steps.conic_to = { control, to, pen in
            OutlinePen.with(pen) {
                // Elevates the quadratic curve to a cubic one.
                let (a, c, b) = ($0.current, $0.point(control), $0.point(to))
                $0.curve(a * (1 / 3) + c * (2 / 3), c * (2 / 3) + b * (1 / 3), to: b)
            }
        }
        steps.cubic_to = { first, second, to, pen in
            OutlinePen.with(pen) { $0.curve($0.point(first), $0.point(second), to: $0.point(to)) }
        }
        return withUnsafeMutablePointer(to: &self) { FT_Outline_Decompose(&outline, &steps, $0) } == 0
    }

    private static func with(_ pen: UnsafeMutableRawPointer?, _ body: (inout OutlinePen) -> Void) -> Int32 {
        guard let pen = pen?.assumingMemoryBound(to: OutlinePen.self) else { return 1 }
        body(&pen.pointee)
        return 0
    }

    private var current: PixelPoint { contours.last?.last ?? PixelPoint(x: 0, y: 0) }

    /// FreeType's y points up.
    private func point(_ vector: UnsafePointer<FT_Vector>?) -> PixelPoint {
        guard let vector = vector?.pointee else { return current }
        return PixelPoint(x: Double(vector.x) * unit, y: -Double(vector.y) * unit)
    }

    private mutating func line(to point: PixelPoint) {
        if contours.isEmpty { contours.append([]) }
        contours[contours.count - 1].append(point)
    }

    /// Flattens a cubic curve in equal parameter steps, with chords within 1/2000 em of the curve.
    private mutating func curve(_ c1: PixelPoint, _ c2: PixelPoint, to b: PixelPoint) {
        let a = current
        let bend = max((a - c1 * 2 + c2).length, (c1 - c2 * 2 + b).length)
        // The error of n chords of a cubic is at most 6 bend / (8 n²).
        let steps = min(32, max(1, Int(saturating: (0.75 * bend * 2000).squareRoot().rounded(.up))))
        for i in Range(from: 1, upTo: steps + 1) {
            let t = Double(i) / Double(steps)
            let s = 1 - t
            line(to: a * (s * s * s) + c1 * (3 * s * s * t) + c2 * (3 * s * t * t) + b * (t * t * t))
        }
    }
}

extension Unicode.Scalar.Properties {
    /// Control, format and line-breaking characters, which are invisible in one line of text.
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
