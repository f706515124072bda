import Foundation
import Imaging
import SpineReading
import Testing

@Suite("Spaces between words")
struct WordSpaceTests {
    /// A word of upright strokes, one for each letter.
    struct Word: Sendable {
        var letters: Int
        var ink = RGBColor(0x202020)
        /// Of a stroke, in pixels.
        var stroke = 4
        /// Of a letter, in pixels.
        var height = 26
        /// From the word before, in widths of a letter.
        var gap = 1
    }

    private static let letter = 14

    private static func spaces(_ words: [Word], on ground: RGBColor = RGBColor(0xE0D8C8)) -> [WordSpace] {
        let width = words.reduce(0) { $0 + ($1.letters + $1.gap) * letter } + letter
        var picture = RGBImage(size: PixelSize(width: width, height: 48), filledWith: ground)
        var (left, places) = (0, [[Double]]())
        for word in words {
            left += word.gap * letter
            places.append((0..<word.letters).map { Double(left + $0 * letter) + Double(letter) / 2 })
            for _ in 0..<word.letters {
                let (top, start) = (24 - word.height / 2, left + (letter - word.stroke) / 2)
                for y in top..<(top + word.height) {
                    for x in start..<(start + word.stroke) { picture[x, y] = word.ink }
                }
                left += letter
            }
        }
        let text = words.map { String(repeating: "n", count: $0.letters) }.joined(separator: " ")
        return WordSpace.spaces(of: text, at: places, in: picture)
    }

    @Test("Words of one print do not differ")
    func plain() {
        let spaces = Self.spaces([Word(letters: 5), Word(letters: 3), Word(letters: 7)])
        #expect(spaces.count == 2 && spaces.allSatisfy { $0.contrast < 0.1 && $0.gap == 2 })
    }

    @Test(
        "The contrast is largest where the print changes",
        arguments: [
            { $0.ink = RGBColor(0xA02020) }, { $0.stroke = 8 }, { $0.height = 16 }, { $0.ink = RGBColor(0xFFFFFF) },
        ] as [@Sendable (inout Word) -> Void])
    func changed(_ change: @Sendable (inout Word) -> Void) {
        var words = [Word(letters: 5), Word(letters: 6), Word(letters: 4), Word(letters: 5)]
        for place in 2...3 { change(&words[place]) }
        let contrasts = Self.spaces(words).map(\.contrast)
        #expect(contrasts[1] > 2 && contrasts[1] > contrasts[0] && contrasts[1] > contrasts[2])
    }

    @Test("The ground does not count")
    func ground() {
        let words = [Word(letters: 5), Word(letters: 6, ink: RGBColor(0xA02020))]
        let (light, dark) = (Self.spaces(words), Self.spaces(words, on: RGBColor(0x000060)))
        #expect(light.count == 1 && dark.count == 1)
        #expect(abs(light[0].contrast - dark[0].contrast) < 0.5)
    }

    @Test("The gap is measured in letters")
    func gap() {
        #expect(Self.spaces([Word(letters: 5), Word(letters: 5, gap: 3)]).map(\.gap) == [4])
    }

    @Test("Lines without a space, and places that do not fit the text, have none")
    func none() {
        let picture = RGBImage(size: PixelSize(width: 100, height: 48))
        #expect(WordSpace.spaces(of: "Emma", at: [[1, 2, 3, 4]], in: picture).isEmpty)
        #expect(WordSpace.spaces(of: "Jane Eyre", at: [[1, 2, 3, 4]], in: picture).isEmpty)
        #expect(WordSpace.spaces(of: "", at: [], in: picture).isEmpty)
    }

    @Test("A line without ink has spaces without contrast")
    func blank() {
        let picture = RGBImage(size: PixelSize(width: 100, height: 48))
        let spaces = WordSpace.spaces(of: "a b", at: [[20], [180]], in: picture)
        #expect(spaces.map(\.contrast) == [0])
    }

    @Test("Lines are stored with their spaces, and read without them")
    func stored() throws {
        let quad = Quad(PixelRect(x: 0, y: 0, width: 90, height: 10))
        let line = TextLine(
            text: "Jane Eyre", score: 0.9, quad: quad, spaces: [WordSpace(gap: 2.0004, contrast: 60)])
        #expect(line.spaces == [WordSpace(gap: 2, contrast: 50)])
        #expect(try JSONDecoder().decode(TextLine.self, from: JSONEncoder().encode(line)) == line)
        var earlier = line
        earlier.spaces = nil
        let stored = try JSONEncoder().encode(earlier)
        #expect(!String(decoding: stored, as: UTF8.self).contains("spaces"))
        #expect(try JSONDecoder().decode(TextLine.self, from: stored) == earlier)
    }
}
