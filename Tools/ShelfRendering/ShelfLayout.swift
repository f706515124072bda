import Fixtures
import Foundation
import Imaging

/// A book at its position, standing or lying.
struct PlacedBook {
    var book: DrawnBook
    var solid: Solid
    /// The direction of its text in the picture; upright along a lying spine.
    var direction: TextDirection
}

/// Books or a picture that are placed and drawn together.
struct PlacedItem {
    /// Top to bottom.
    var books: [PlacedBook] = []
    var picture: Solid?
    /// Middle of the item, in centimetres from the left.
    var center: Double
}

/// The geometry of a bookcase and everything in it.
struct ShelfLayout {
    static let board = 2.0
    static let panel = 2.2

    /// Top to bottom; one more than there are compartments.
    private(set) var boards: [Solid] = []
    private(set) var panels: [Solid] = []
    let back: Solid
    let wall: Solid
    /// In the order of `DrawnShelf.compartments`.
    private(set) var compartments: [[PlacedItem]] = []
    let height: Double

    init(_ shelf: DrawnShelf) {
        var random = SeededGenerator(seed: shelf.seed ^ 0xB00C)
        var top = 0.0
        for compartment in shelf.compartments {
            boards.append(ShelfLayout.box(x: 0, y: top, shelf.width, ShelfLayout.board, shelf.depth))
            top += ShelfLayout.board + compartment.height
            compartments.append(ShelfLayout.arrange(compartment.items, floor: top, &random))
        }
        boards.append(ShelfLayout.box(x: 0, y: top, shelf.width, ShelfLayout.board, shelf.depth))
        height = top + ShelfLayout.board
        let outer = shelf.width + 2 * ShelfLayout.panel
        back = ShelfLayout.box(x: 0, y: 0, z: shelf.depth, shelf.width, height, 0.6)
        wall = ShelfLayout.box(x: -outer, y: -height, z: shelf.depth + 1, outer * 3, height * 3, 1)
        for x in [-ShelfLayout.panel, shelf.width] {
            panels.append(ShelfLayout.box(x: x, y: -1.2, z: -0.4, ShelfLayout.panel, height + 2.4, shelf.depth + 0.4))
        }
    }

    var solids: [Solid] {
        boards + panels + [back, wall]
            + compartments.flatMap { $0.flatMap { $0.books.map(\.solid) + [$0.picture].compactMap(\.self) } }
    }

    private static func box(x: Double, y: Double, z: Double = 0, _ w: Double, _ h: Double, _ d: Double) -> Solid {
        Solid(origin: Vector3(x, y, z), across: Vector3(w, 0, 0), down: Vector3(0, h, 0), depth: Vector3(0, 0, d))
    }

    /// Places items from left to right, each leaning on the previous one if it leans.
    private static func arrange(_ items: [ShelfItem], floor: Double, _ random: inout SeededGenerator) -> [PlacedItem] {
        var placed: [PlacedItem] = []
        var x = 0.5
        /// Height of the support for the next book, and the lean of the last one towards it.
        var support = 1000.0
        var pending: (lean: Double, height: Double)?
        for item in items {
            if let waiting = pending {
                let next = item.books.first?.height ?? 1000
                x += reach(of: waiting.height, leaning: waiting.lean, on: next)
                pending = nil
            }
            switch item {
            case .gap(let width):
                x += width
                support = 1000
            case .standing(let book):
                let recess = random.double(in: 0.9...2.1)
                let angle = book.lean * .pi / 180
                if book.lean > 0 { x += reach(of: book.height, leaning: book.lean, on: support) }
                // The lowest corner is on the board: the left one of a book that leans to the left.
                let across = Vector3(cos(angle), -sin(angle), 0) * book.thickness
                let down = Vector3(sin(angle), cos(angle), 0) * book.height
                let foot = book.lean >= 0 ? Vector3(x, floor, recess) : Vector3(x + across.x, floor, recess) - across
                let solid = Solid(
                    origin: foot - down, across: across, down: down,
                    depth: Vector3(0, 0, min(15.5, book.height * random.double(in: 0.6...0.68))))
                placed.append(
                    PlacedItem(
                        books: [PlacedBook(book: book, solid: solid, direction: book.design.titleStyle.direction)],
                        center: solid.face(.front).center.x))
                if book.lean < 0 { pending = (book.lean, book.height) }
                x += across.x + random.double(in: 0.04...0.14)
                support = book.height * cos(angle)
            case .picture(let width, let height):
                let frame = ShelfLayout.box(x: x, y: floor - height, z: 5, width, height, 1.4)
                placed.append(PlacedItem(picture: frame, center: x + width / 2))
                x += width
                support = height
            case .stack(let books):
                placed.append(pile(books, x: x, floor: floor, &random))
                x += (books.map(\.height).max() ?? 0) + 1.1
                support = books.reduce(0) { $0 + $1.thickness }
            }
        }
        return placed
    }

    /// Returns the distance of a leaning book's foot from its support.
    private static func reach(of height: Double, leaning degrees: Double, on support: Double) -> Double {
        let angle = abs(degrees) * .pi / 180
        return min(height * sin(angle), support * tan(angle))
    }

    /// Stacks lying books, each turned so that its title is upright.
    private static func pile(_ books: [DrawnBook], x: Double, floor: Double, _ random: inout SeededGenerator)
        -> PlacedItem
    {
        let widest = books.map(\.height).max() ?? 0
        var placed: [PlacedBook] = []
        var bottom = floor
        for book in books.reversed() {
            let left = x + (widest - book.height) * random.double(in: 0.2...0.8) + random.double(in: 0...0.8)
            let recess = random.double(in: 0.8...1.9)
            let headLeft = book.design.titleStyle.direction != .bottomToTop
            let solid = Solid(
                origin: Vector3(
                    headLeft ? left : left + book.height, headLeft ? bottom : bottom - book.thickness, recess),
                across: Vector3(0, headLeft ? -book.thickness : book.thickness, 0),
                down: Vector3(headLeft ? book.height : -book.height, 0, 0),
                depth: Vector3(0, 0, min(16, book.height * 0.65)))
            let turns: [TextDirection: TextDirection] = [
                .topToBottom: .upright, .bottomToTop: .upright, .upright: .bottomToTop,
            ]
            let direction = book.design.titleStyle.direction
            placed.append(PlacedBook(book: book, solid: solid, direction: turns[direction] ?? direction))
            bottom -= book.thickness + 0.05
        }
        return PlacedItem(books: placed.reversed(), center: x + widest / 2)
    }
}
