public import Imaging

/// A bookcase with known books, to be drawn as a camera would see it.
///
/// Lengths are in centimetres.
public struct DrawnShelf: Sendable {
    /// From the top down.
    public var compartments: [Compartment]
    /// Between the side panels.
    public var width: Double
    /// From the front edge of the boards to the back panel.
    public var depth: Double
    public var wood: Wood
    public var camera: DrawnCamera
    /// Same seed, same picture.
    public var seed: UInt64

    public init(
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

    /// One compartment that is just wide enough for its books.
    public init(books: [DrawnBook], wood: Wood = .oak, camera: DrawnCamera = DrawnCamera(), seed: UInt64 = 1) {
        let tallest = books.map(\.height).max() ?? 20
        let width = books.reduce(2) { $0 + $1.thickness + 0.3 + $1.height * abs($1.lean) / 50 }
        self.init(
            compartments: [Compartment(height: tallest + 4, items: books.map(ShelfItem.standing))],
            width: width, wood: wood, camera: camera, seed: seed)
    }

    /// The books in the order of the truth: compartment by compartment, left to right, stacks from the top.
    public var books: [DrawnBook] { compartments.flatMap { $0.items.flatMap(\.books) } }
}

/// The space between two boards.
public struct Compartment: Sendable {
    public var height: Double
    /// From left to right.
    public var items: [ShelfItem]

    public init(height: Double, items: [ShelfItem]) {
        self.height = height
        self.items = items
    }
}

public enum ShelfItem: Sendable {
    case standing(DrawnBook)
    /// Lying on each other with the spine to the front, text the right way up; the topmost first.
    case stack([DrawnBook])
    case gap(Double)
    /// A framed picture that stands a little farther back.
    case picture(width: Double, height: Double)

    var books: [DrawnBook] {
        switch self {
        case .standing(let book): [book]
        case .stack(let books): books
        case .gap, .picture: []
        }
    }
}

public enum Wood: Sendable {
    case oak, walnut, painted
}

/// One physical book: what it is, and how its spine is made.
public struct DrawnBook: Sendable {
    public var title: String
    public var author: String?
    public var publisher: String?
    /// Printed at the head of the spine: a series or the number in it.
    public var series: String?
    public var thickness: Double
    public var height: Double
    /// Degrees by which a standing book leans to the left (negative: to the right).
    public var lean: Double
    public var design: SpineDesign

    public init(
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

/// How a spine looks.
///
/// Places on it are fractions of its height, 0 at the head, 1 at the tail.
public struct SpineDesign: Sendable {
    public var binding: Binding
    public var ground: RGBColor
    public var ink: RGBColor
    /// Of rules, logo and publisher.
    public var accent: RGBColor
    public var titleStyle: TextStyle
    public var authorStyle: TextStyle
    public var titleZone: ClosedRange<Double>
    public var authorZone: ClosedRange<Double>
    public var bands: [SpineBand]
    public var rules: [Double]
    public var logo: SpineLogo?
    /// Where the publisher's name and logo stand.
    public var footZone: ClosedRange<Double>
    /// The title as set, with line breaks; the title itself where `nil`.
    public var titleAsPrinted: String?
    public var authorAsPrinted: String?

    public init(
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

public enum Binding: Sendable {
    case paperback, jacket, cloth, leather
}

/// How one text of a spine is set.
public struct TextStyle: Sendable {
    public var font: SpineFont
    public var direction: TextDirection
    /// The em as a share of the spine's thickness; made smaller where the text would not fit its zone.
    public var size: Double
    public var capitals: Bool
    /// Added after each letter, as a share of the em.
    public var tracking: Double
    /// The design's ink where `nil`.
    public var ink: RGBColor?

    public init(
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

/// How the text of a spine runs; the raw values are the words of the truth file.
public enum TextDirection: String, Codable, CaseIterable, Sendable {
    case topToBottom = "top-to-bottom"
    case bottomToTop = "bottom-to-top"
    /// Across the spine, or along a lying one.
    case upright
    /// Upright letters below each other.
    case stackedLetters = "stacked-letters"
    case upsideDown = "upside-down"
}

/// A coloured part of the spine.
public struct SpineBand: Sendable {
    public var zone: ClosedRange<Double>
    public var color: RGBColor

    public init(_ zone: ClosedRange<Double>, _ color: RGBColor) {
        self.zone = zone
        self.color = color
    }
}

/// A made-up publisher's mark.
public enum SpineLogo: Sendable {
    case disc, ring, diamond, star, leaf, book
}

/// How the photo is taken.
///
/// The camera looks at the middle of the bookcase.
public struct DrawnCamera: Sendable {
    /// From the front of the bookcase; the nearer, the stronger the perspective.
    public var distance: Double
    /// Where the camera is, from the middle of the bookcase, right and up.
    public var right: Double
    public var up: Double
    /// Where it points, from the middle, right and up.
    public var aimRight: Double
    public var aimUp: Double
    /// Degrees by which the picture is turned clockwise.
    public var tilt: Double
    /// At 1 the bookcase just fits into the picture; more comes closer, less shows the wall around it.
    public var fill: Double
    /// 1 is well exposed.
    public var brightness: Double
    /// Standard deviation of the sensor noise in 8-bit steps.
    public var noise: Double
    /// Standard deviation of the blur in pixels of a picture 4,000 wide.
    public var blur: Double
    /// 1...100.
    public var jpegQuality: Int

    public init(
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
