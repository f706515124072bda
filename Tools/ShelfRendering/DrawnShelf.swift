package import Fixtures
package import Imaging

/// A bookcase with known books, rendered as a camera would see it.
///
/// Lengths are in centimetres.
package struct DrawnShelf: Sendable {
    /// Top to bottom.
    package var compartments: [Compartment]
    /// Between the side panels.
    package var width: Double
    /// From the front edge of the boards to the back panel.
    package var depth: Double
    package var wood: Wood
    package var camera: DrawnCamera
    /// The same seed gives the same picture.
    package var seed: UInt64

    package init(
        compartments: [Compartment], width: Double, depth: Double = 21, wood: Wood = .oak,
        camera: DrawnCamera = DrawnCamera(), seed: UInt64 = 1
    ) {
        self.compartments = compartments
        self.width = width
        self.depth = depth
        self.wood = wood
        self.camera = camera
        self.seed = seed
    }

    /// Creates one compartment that is just wide enough for its books.
    package init(books: [DrawnBook], wood: Wood = .oak, camera: DrawnCamera = DrawnCamera(), seed: UInt64 = 1) {
        let tallest = books.map(\.height).max() ?? 20
        let width = books.reduce(2) { $0 + $1.thickness + 0.3 + $1.height * abs($1.lean) / 50 }
        self.init(
            compartments: [Compartment(height: tallest + 4, items: books.map(ShelfItem.standing))],
            width: width, wood: wood, camera: camera, seed: seed)
    }

    /// The books in the order of the truth: by compartment, left to right, stacks top to bottom.
    package var books: [DrawnBook] { compartments.flatMap { $0.items.flatMap(\.books) } }
}

/// The space between two boards.
package struct Compartment: Sendable {
    package var height: Double
    /// Left to right.
    package var items: [ShelfItem]

    package init(height: Double, items: [ShelfItem]) {
        self.height = height
        self.items = items
    }
}

package enum ShelfItem: Sendable {
    case standing(DrawnBook)
    /// Lying books, spines to the front and text upright; topmost first.
    case stack([DrawnBook])
    case gap(Double)
    /// A framed picture, slightly farther back than the books.
    case picture(width: Double, height: Double)

    var books: [DrawnBook] {
        switch self {
        case .standing(let book): [book]
        case .stack(let books): books
        case .gap, .picture: []
        }
    }
}

package enum Wood: Sendable {
    case oak, walnut, painted
}

/// One physical book and the design of its spine.
package struct DrawnBook: Sendable {
    package var title: String
    package var author: String?
    package var publisher: String?
    /// Printed at the head of the spine: a series or a volume number.
    package var series: String?
    package var thickness: Double
    package var height: Double
    /// Lean of a standing book in degrees to the left (negative: to the right).
    package var lean: Double
    package var design: SpineDesign

    package init(
        _ title: String, by author: String?, publisher: String? = nil, series: String? = nil,
        thickness: Double, height: Double, lean: Double = 0, design: SpineDesign
    ) {
        self.title = title
        self.author = author
        self.publisher = publisher
        self.series = series
        self.thickness = thickness
        self.height = height
        self.lean = lean
        self.design = design
    }
}

/// The design of a spine.
///
/// Positions are fractions of its height, 0 at the head, 1 at the tail.
package struct SpineDesign: Sendable {
    package var binding: Binding
    package var ground: RGBColor
    package var ink: RGBColor
    /// Colour of rules, logo and publisher.
    package var accent: RGBColor
    package var titleStyle: TextStyle
    package var authorStyle: TextStyle
    package var titleZone: ClosedRange<Double>
    package var authorZone: ClosedRange<Double>
    package var bands: [SpineBand]
    package var rules: [Double]
    package var logo: SpineLogo?
    /// The zone of the publisher's name and logo.
    package var footZone: ClosedRange<Double>
    /// The title as set, with line breaks; `nil` uses the title.
    package var titleAsPrinted: String?
    package var authorAsPrinted: String?

    package init(
        _ binding: Binding, ground: RGBColor, ink: RGBColor, accent: RGBColor? = nil,
        title: TextStyle, author: TextStyle, titleZone: ClosedRange<Double> = 0.32...0.84,
        authorZone: ClosedRange<Double> = 0.06...0.28, bands: [SpineBand] = [], rules: [Double] = [],
        logo: SpineLogo? = nil, footZone: ClosedRange<Double> = 0.88...0.975,
        titleAsPrinted: String? = nil, authorAsPrinted: String? = nil
    ) {
        self.binding = binding
        self.ground = ground
        self.ink = ink
        self.accent = accent ?? ink
        titleStyle = title
        authorStyle = author
        self.titleZone = titleZone
        self.authorZone = authorZone
        self.bands = bands
        self.rules = rules
        self.logo = logo
        self.footZone = footZone
        self.titleAsPrinted = titleAsPrinted
        self.authorAsPrinted = authorAsPrinted
    }
}

package enum Binding: Sendable {
    case paperback, jacket, cloth, leather
}

/// The style of one text on a spine.
package struct TextStyle: Sendable {
    package var font: SpineFont
    package var direction: TextDirection
    /// Font size as a share of the spine's thickness; reduced if the text would not fit its zone.
    package var size: Double
    package var capitals: Bool
    /// Added after each letter, as a share of the font size.
    package var tracking: Double
    /// `nil` uses the design's ink.
    package var ink: RGBColor?

    package init(
        _ font: SpineFont, _ direction: TextDirection = .topToBottom, size: Double = 0.5, capitals: Bool = false,
        tracking: Double = 0, ink: RGBColor? = nil
    ) {
        self.font = font
        self.direction = direction
        self.size = size
        self.capitals = capitals
        self.tracking = tracking
        self.ink = ink
    }
}

/// A coloured band on the spine.
package struct SpineBand: Sendable {
    package var zone: ClosedRange<Double>
    package var color: RGBColor

    package init(_ zone: ClosedRange<Double>, _ color: RGBColor) {
        self.zone = zone
        self.color = color
    }
}

/// A fictional publisher's logo.
package enum SpineLogo: Sendable {
    case disc, ring, diamond, star, leaf, book
}

/// The camera and exposure of a photo.
///
/// The camera looks at the middle of the bookcase.
package struct DrawnCamera: Sendable {
    /// From the front of the bookcase; smaller distances give stronger perspective.
    package var distance: Double
    /// Position of the camera relative to the middle of the bookcase, right and up.
    package var right: Double
    package var up: Double
    /// Target of the camera relative to the middle of the bookcase, right and up.
    package var aimRight: Double
    package var aimUp: Double
    /// Clockwise rotation of the picture in degrees.
    package var tilt: Double
    /// At 1 the bookcase just fits into the picture; larger values are closer, smaller ones show the wall around it.
    package var fill: Double
    /// 1 is a correct exposure.
    package var brightness: Double
    /// Standard deviation of the sensor noise in 8-bit steps.
    package var noise: Double
    /// Standard deviation of the blur in pixels of a picture 4,000 wide.
    package var blur: Double
    /// 1...100.
    package var jpegQuality: Int

    package init(
        distance: Double = 110, right: Double = 0, up: Double = 0, aimRight: Double = 0, aimUp: Double = 0,
        tilt: Double = 0, fill: Double = 1, brightness: Double = 1, noise: Double = 1.6, blur: Double = 0.7,
        jpegQuality: Int = 88
    ) {
        self.distance = distance
        self.right = right
        self.up = up
        self.aimRight = aimRight
        self.aimUp = aimUp
        self.tilt = tilt
        self.fill = fill
        self.brightness = brightness
        self.noise = noise
        self.blur = blur
        self.jpegQuality = jpegQuality
    }
}
