package import Fixtures
package import Imaging
import ShelflistAPI

/// A rendered photo of a shelf with its ground truth.
package struct DrawnPhoto: Sendable {
    package var image: RGBImage
    package var truth: ShelfTruth

    /// Returns the same photo stored rotated clockwise.
    package func turned(_ turn: QuarterTurn) -> DrawnPhoto {
        DrawnPhoto(image: image.turned(turn), truth: truth.turned(turn))
    }
}

extension DrawnShelf {
    /// Renders the photo: `size` in pixels, `name` the file name in the truth.
    ///
    /// Throws if a font is not installed. Takes about 7 s for 12 megapixels, 1 s for half a megapixel.
    package func photograph(size: PixelSize, name: String = "shelf.jpg") throws -> DrawnPhoto {
        var scene = Scene(self, size: size)
        try scene.draw()
        let books = scene.visibleBooks.map { placed, quad in
            TrueBook(
                title: placed.book.title, author: placed.book.author, orientation: placed.direction,
                box: UnitRect(quad.bounds, in: size))
        }
        return DrawnPhoto(
            image: scene.sensor.developed(camera, seed: seed),
            truth: ShelfTruth(photo: name, width: size.width, height: size.height, books: books))
    }
}

/// Draws all faces back to front.
private struct Scene {
    let shelf: DrawnShelf
    let layout: ShelfLayout
    let camera: PinholeCamera
    let light: Lighting
    var sensor: SensorImage
    private var painter = SpinePainter()
    private let spacing: Double

    init(_ shelf: DrawnShelf, size: PixelSize) {
        self.shelf = shelf
        layout = ShelfLayout(shelf)
        sensor = SensorImage(size: size)
        let setup = shelf.camera
        let middle = Vector3(shelf.width / 2, layout.height / 2, 0)
        let outer = shelf.width + 2 * ShelfLayout.panel
        let fitting = max(outer, layout.height * Double(size.width) / Double(size.height))
        camera = PinholeCamera(
            position: middle + Vector3(setup.right, -setup.up, -setup.distance),
            target: middle + Vector3(setup.aimRight, -setup.aimUp, 0), tilt: setup.tilt, width: fitting / setup.fill,
            size: size)
        light = Lighting(occluders: layout.solids, rays: size.longSide > 1500 ? 72 : 28)
        // Finer than the width of a contact shadow, but at least eight pixels.
        spacing = max(0.28, 8 / camera.pixelsPerCentimetre(at: middle))
    }

    /// In the order of `DrawnShelf.books`.
    var visibleBooks: [(PlacedBook, Quad)] {
        layout.compartments.joined().flatMap(\.books).map { ($0, camera.quad($0.solid.face(.front))) }
    }

    /// Draws in painter's order: the camera is in front of the bookcase, so an object can only hide others that are
    /// farther from the camera's height and horizontal position.
    mutating func draw() throws {
        drawWall()
        for (i, panel) in layout.panels.enumerated() {
            draw(panel, [.front, .left, .right]) { $0.wooden($1, seed: 100 + UInt64(i)) }
        }
        let layers: [(distance: Double, compartment: Int?, board: Int?)] =
            layout.boards.enumerated().map { (abs($1.origin.y + 1 - camera.position.y), nil, $0) }
            + layout.compartments.indices.map { i in
                let middle = (layout.boards[i].origin.y + layout.boards[i + 1].origin.y) / 2 + 1
                return (abs(middle - camera.position.y), i, nil)
            }
        for layer in layers.sorted(by: { $0.distance > $1.distance }) {
            if let i = layer.board {
                draw(layout.boards[i], [.head, .tail, .front]) { $0.wooden($1, seed: 200 + UInt64(i)) }
            }
            if let i = layer.compartment { try drawBooks(layout.compartments[i], number: i) }
        }
    }

    private mutating func drawWall() {
        let seed = shelf.seed
        draw(layout.wall, [.front]) { scene, face in
            .plaster(
                width: face.across.length, height: face.down.length, scale: scene.scale(of: face) * 0.25, seed: seed)
        }
        draw(layout.back, [.front]) { $0.wooden($1, seed: 90) }
    }

    private mutating func drawBooks(_ items: [PlacedItem], number: Int) throws {
        let order = items.sorted { abs($0.center - camera.position.x) > abs($1.center - camera.position.x) }
        for item in order {
            let height = camera.position.y
            func distance(_ book: PlacedBook) -> Double { abs(book.solid.face(.front).center.y - height) }
            if let picture = item.picture {
                draw(picture, [.left, .right, .head]) { $0.wooden($1, seed: 60) }
                draw(picture, [.front]) {
                    .landscape(width: $1.across.length, height: $1.down.length, scale: $0.scale(of: $1))
                }
            }
            for placed in item.books.sorted(by: { distance($0) > distance($1) }) { try draw(placed) }
        }
    }

    private mutating func draw(_ placed: PlacedBook) throws {
        let (book, front) = (placed.book, placed.solid.face(.front))
        let seed = SeededGenerator.mix(shelf.seed &+ UInt64(abs(Int(front.center.x * 1000 + front.center.y * 7000))))
        let spine = Texture(try painter.paint(book, pixelsPerCentimetre: scale(of: front) * 1.1, seed: seed))
        draw(placed.solid, [.left, .right, .head, .tail]) { scene, face in
            let isEnd = face.across == placed.solid.across
            return isEnd
                ? .leaves(
                    cover: book.design.ground, thickness: book.thickness, depth: face.down.length,
                    scale: scene.scale(of: face), seed: seed)
                : Texture(book.design.ground)
        }
        draw(placed.solid, [.front]) { _, _ in spine }
    }

    private mutating func draw(_ solid: Solid, _ sides: [Solid.Side], texture: (Scene, Face) -> Texture) {
        for face in sides.map(solid.face) where camera.sees(face) {
            let map = LightMap(face, in: light, spacing: max(spacing, (face.across.length + face.down.length) / 240))
            sensor.expose(face, through: camera, texture: texture(self, face), light: map)
        }
    }

    private func scale(of face: Face) -> Double { camera.pixelsPerCentimetre(at: face.center) }

    private func wooden(_ face: Face, seed: UInt64) -> Texture {
        .board(
            shelf.wood, width: face.across.length, height: face.down.length, scale: scale(of: face) * 0.8,
            seed: seed &+ shelf.seed &* 7919)
    }
}
