import Identification
import ShelflistAPI
import Testing

@Suite("The order of books")
struct ShelfOrderTests {
    @Test("Books are sorted row by row from left to right, and a stack from top to bottom")
    func order() throws {
        let stack = ["First on the pile", "Second on the pile", "Third on the pile", "Fourth on the pile"]
        let lower = ["Left of the lower row", "Right of the lower row"]
        let upper = ["Left of the upper row", "Right of the upper row"]
        let lines =
            stack.enumerated().map { across($1, from: 150 - 20 * Double($0), y: 1000 + 100 * Double($0), length: 400) }
            + lower.enumerated().map { down($1, x: 900 + 200 * Double($0), from: 950, length: 400) }
            + upper.enumerated().map { down($1, x: 700 + 200 * Double($0), from: 150, length: 400) }
        let found = try identify(lines.reversed())
        #expect(found.books.compactMap(\.title) == upper + stack + lower)
        #expect(found.books.map(\.id) == (1...8).map { "book-\($0)" })
    }
}
