import Foundation
import Imaging

/// A book where it stands or lies.
struct PlacedBook {
    var book: DrawnBook
    var solid: Solid
    /// How its text runs in the picture: along a lying spine it is upright.
    var direction: TextDirection
}

/// Things that stand together and are drawn together.
struct PlacedItem {
    /// From the top.
    var books: [PlacedBook] = []
    var picture: Solid?
    /// Middle of the item, in centimetres from the left.
    var center: Double
}

/// The bookcase and where everything is in it, before any drawing.
struct Carpentry {
    static let board = 2.0
    static let panel = 2.2

    /// From the top; one more than there are compartments.
    private(set) var boards: [Solid] = []
    private(set) var panels: [Solid] = []
    let back: Solid
    let wall: Solid
    /// As `DrawnShelf.compartments`.
    private(set) var compartments: [[PlacedItem]] = []
    let height: Double

    init(_ shelf: DrawnShelf) {
        var random = SeededGenerator(seed: shelf.seed ^ 0xB00C)
        var top = 0.0
        for compartment in shelf.compartments {
            boards.append(Carpentry.box(x: 0, y: top, shelf.width, Carpentry.board, shelf.depth))
            top += Carpentry.board + compartment.height
            compartments.append(Carpentry.arrange(compartment.items, floor: top, &random))
        }
        boards.append(Carpentry.box(x: 0, y: top, shelf.width, Carpentry.board, shelf.depth))
        height = top + Carpentry.board
        let outer = shelf.width + 2 * Carpentry.panel
        back = Carpentry.box(x: 0, y: 0, z: shelf.depth, shelf.width, height, 0.6)
        wall = Carpentry.box(x: -outer, y: -height, z: shelf.depth + 1, outer * 3, height * 3, 1)
        for x in [-Carpentry.panel, shelf.width] {
            panels.append(Carpentry.box(x: x, y: -1.2, z: -0.4, Carpentry.panel, height + 2.4, shelf.depth + 0.4))
        }
    }

    var solids: [Solid] {
        boards + panels + [back, wall]
            + compartments.flatMap { $0.flatMap { $0.books.map(\.solid) + [$0.picture].compactMap(\.self) } }
    }

    private static func box(x: Double, y: Double, z: Double = 0, _ w: Double, _ h: Double, _ d: Double) -> Solid {
        Solid(origin: Vector(x, y, z), across: Vector(w, 0, 0), down: Vector(0, h, 0), depth: Vector(0, 0, d))
    }

    /// From left to right, each against what stands before it.
    private static func arrange(_ items: [ShelfItem], floor: Double, _ random: inout SeededGenerator) -> [PlacedItem] {
        var placed: [PlacedItem] = []
        var x = 0.5
        /// Height of what the next book can lean on, and how far the last one wants to lean on the next.
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
                // The lowest corner stands on the board: the left one of a book that leans to the left.
                let across = Vector(cos(angle), -sin(angle), 0) * book.thickness
                let down = Vector(sin(angle), cos(angle), 0) * book.height
                let foot = book.lean >= 0 ? Vector(x, floor, recess) : Vector(x + across.x, floor, recess) - across
                let solid = Solid(
                    origin: foot - down, across: across, down: down,
                    depth: Vector(0, 0, min(15.5, book.height * random.double(in: 0.6...0.68))))
                placed.append(
                    PlacedItem(
                        books: [PlacedBook(book: book, solid: solid, direction: book.design.titleStyle.direction)],
                        center: solid.face(.front).center.x))
                if book.lean < 0 { pending = (book.lean, book.height) }
                x += across.x + random.double(in: 0.04...0.14)
                support = book.height * cos(angle)
            case .picture(let width, let height):
                let frame = Carpentry.box(x: x, y: floor - height, z: 5, width, height, 1.4)
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

    /// How far the foot of a leaning book stands off what it leans on.
    private static func reach(of height: Double, leaning degrees: Double, on support: Double) -> Double {
        let angle = abs(degrees) * .pi / 180
        return min(height * sin(angle), support * tan(angle))
    }

    /// Lying books, each turned so that its title reads the right way up.
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
                origin: Vector(
                    headLeft ? left : left + book.height, headLeft ? bottom : bottom - book.thickness, recess),
                across: Vector(0, headLeft ? -book.thickness : book.thickness, 0),
                down: Vector(headLeft ? book.height : -book.height, 0, 0),
                depth: Vector(0, 0, min(16, book.height * 0.65)))
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
