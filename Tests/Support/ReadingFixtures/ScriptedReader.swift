import Bibliography
import Foundation
package import Imaging
package import Reading
package import ShelflistAPI
import Synchronization

/// A reader for tests that follows the script in a photo's bytes: `books:A|B` finds these books, `fail` throws, and
/// `wait:A` reports a spine for each book and continues when it is released; `wait-read:A` also reports that the text of
/// each was read, and `wait-fail` then throws, also if it was cancelled.
package final class ScriptedReader: ShelfReading {
    private struct State {
        var read: [String] = []
        var isReleased = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var running = 0
        var mostRunning = 0
    }

    private let state = Mutex(State())

    private let author: String
    private let firstFailure: (any Error)?
    private let again: @Sendable (ScannedPhoto) throws -> ScannedPhoto

    /// - Parameters:
    ///   - author: of every book it finds.
    ///   - firstFailure: thrown by the first reading.
    ///   - again: identifies a photo again.
    package init(
        author: String = "Writer", firstFailure: (any Error)? = nil,
        again: @escaping @Sendable (ScannedPhoto) throws -> ScannedPhoto = { $0 }
    ) {
        self.author = author
        self.firstFailure = firstFailure
        self.again = again
    }

    /// The scripts read so far, in order.
    package var read: [String] { state.withLock(\.read) }
    package var mostRunning: Int { state.withLock(\.mostRunning) }

    /// Returns the bytes of a photo with a script.
    package static func bytes(_ script: String) -> [UInt8] { [0xFF, 0xD8] + segments(script) + [0xFF, 0xD9] }

    /// Returns a picture that can be decoded, with a script.
    package static func picture(_ script: String) throws -> [UInt8] {
        let image = RGBImage(size: PixelSize(width: 60, height: 40))
        let jpeg = try JPEGCodec.encode(image, quality: 80)
        return jpeg.prefix(2) + segments(script) + jpeg.dropFirst(2)
    }

    private static let scriptMark = "script:"

    /// Parts, of less than 64 KB, of a color profile, which a photo keeps when its metadata is removed.
    private static func segments(_ script: String) -> [UInt8] {
        let text = Array("\(scriptMark)\(script)\0".utf8)
        return stride(from: 0, to: text.count, by: 60_000).flatMap { start in
            let payload = segmentStart + text[start..<min(text.count, start + 60_000)]
            let length = payload.count + 2
            return [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
        }
    }

    private static let segmentStart = Array("ICC_PROFILE\0".utf8)

    private static func script(in bytes: [UInt8]) -> String {
        var plain = bytes[...]
        // Joins the parts: each but the first continues after a marker and its length.
        while let start = plain.dropFirst(4 + segmentStart.count).firstRange(of: segmentStart) {
            plain.removeSubrange(start.lowerBound - 4..<start.upperBound)
        }
        let text = String(decoding: plain.dropFirst(4), as: UTF8.self)
        guard let mark = text.range(of: scriptMark) else { return text }
        return String(text[mark.upperBound...].prefix { $0 != "\0" })
    }

    package func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    package func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        let script = Self.script(in: bytes)
        let titles = script.split(separator: ":").last?.split(separator: "|") ?? []
        state.withLock { state in
            state.read.append(script)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
        }
        defer { state.withLock { $0.running -= 1 } }
        report(.stage(.decode))
        report(.stage(.read))
        if script.hasPrefix("wait") {
            let spines = try photo(name, books: titles.map { _ in "?" }).books
            report(.spines(spines.map(\.outline)))
            if script.hasPrefix("wait-read") {
                for read in 1...spines.count { report(.text(Double(read) / Double(spines.count))) }
            }
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if !state.isReleased { state.waiting.append(continuation) }
                    return state.isReleased
                }
                if goesOn { continuation.resume() }
            }
        }
        if script.hasPrefix("wait-fail") { throw ImageError(.damaged, "The process that decodes was ended.") }
        try Task.checkCancellation()
        if let firstFailure, read.count == 1 { throw firstFailure }
        if script.hasPrefix("fail") { throw ImageError(.damaged, "The JPEG file is damaged.") }
        report(.stage(.identify))
        return try photo(name, books: titles)
    }

    package func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { try again(photo) }

    /// One book, whatever the picture shows.
    package func reread(_ spine: RGBImage) async throws -> DetectedBook {
        DetectedBook(
            id: "reread", title: "Reread", author: author, confidence: 0.7, checked: true, reviewStatus: .needsReview,
            outline: SpineOutline(UnitRect(x: 0, y: 0, width: 1, height: 1)),
            text: [ReadText(text: "REREAD", score: 0.9)], matches: [])
    }

    package func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        let photo = try await read(frame, name: "frame")
        return FrameOutline(
            width: photo.width, height: photo.height,
            spines: photo.books.map(\.outline),
            quality: photo.quality, seconds: photo.seconds)
    }

    /// Returns a result with these titles, spine next to spine; a book with a question mark was not checked, any other has
    /// a record.
    ///
    /// A code is a label below the spines, `#796 SPORT` a sign, `~Gallimard` another line.
    private func photo(_ name: String, books all: [Substring]) throws -> ScannedPhoto {
        let labels = all.compactMap { PlaceCode($0) }
        func lines(_ mark: String) -> [TextInPhoto] {
            all.filter { $0.hasPrefix(mark) }.map { TextInPhoto(text: String($0.dropFirst()), outline: Self.below) }
        }
        let books = all.filter { PlaceCode($0) == nil && !$0.hasPrefix("#") && !$0.hasPrefix("~") }
        let fields = books.enumerated().map { index, title in
            let x = Double(index) * 0.1
            let confidence = index == 0 ? 0.9 : 0.4
            let record =
                title.hasSuffix("?")
                ? ""
                : """
                {"title": "\(title)", "subtitle": null, "author": "\(author)", "isbn": null,
                 "confidence": \(confidence), "source": "local"}
                """
            return """
                {"id": "book-\(index + 1)", "title": "\(title)", "author": "\(author)", "isbn": null,
                 "confidence": \(confidence), "checked": \(!title.hasSuffix("?")),
                 "reviewStatus": "\(index == 0 ? "verified" : "needsReview")",
                 "boundingBox": {"x": \(x), "y": 0, "width": 0.1, "height": 1},
                 "quad": [[\(x), 0], [\(x + 0.1), 0], [\(x + 0.1), 1], [\(x), 1]],
                 "text": [{"text": "\(title)", "score": 0.9}], "matches": [\(record)]}
                """
        }
        let json = """
            {"path": "\(name)", "width": 100, "height": 100, "turn": 0, "seconds": 0.1, "preprocessed": false,
             "timings": {"decode": 0, "detect": 0, "recognise": 0, "group": 0, "match": 0},
             "quality": {"sharpness": 1, "exposure": 1, "glare": 0, "tilt": 0, "contrast": 1, "suggestions": []},
             "otherText": [], "books": [\(fields.joined(separator: ","))]}
            """
        var photo = try JSONDecoder().decode(ScannedPhoto.self, from: Data(json.utf8))
        photo.labels = labels.map { ShelfLabel(code: $0, outline: Self.below) }
        (photo.signs, photo.looseLines) = (lines("#"), lines("~"))
        return photo
    }

    /// The place of a label or sign: at the lower edge of the row.
    private static let below = SpineOutline(UnitRect(x: 0, y: 0.97, width: 0.2, height: 0.02))
}
