import Fixtures
import Imaging

extension DrawnShelf {
    /// The shelf of `Examples/shelf.jpg`: 26 books in four languages.
    package static let example = DrawnShelf(
        compartments: [
            Compartment(height: 23.8, items: novels.map(ShelfItem.standing)),
            Compartment(
                height: 23.9,
                items: [.gap(0.4), .stack(lyingBooks)] + classics.map(ShelfItem.standing)
                    + [.gap(1.4), .picture(width: 12.5, height: 16.5)]),
        ],
        width: 62.6, depth: 21, wood: .oak,
        camera: DrawnCamera(
            distance: 135, right: 4, up: 3, aimRight: 0.3, aimUp: 0, tilt: -0.6, fill: 1.053, brightness: 1.12,
            noise: 2, blur: 0.8, jpegQuality: 80),
        seed: 1851)

    private static let cream = RGBColor(0xF0E6CF)
    private static let gold = RGBColor(0xD9B45A)
    private static let white = RGBColor(0xF1ECE2)
    private static let ink = RGBColor(0x221D1A)

    private static let novels: [DrawnBook] = [
        DrawnBook(
            "Moby-Dick", by: "Herman Melville", publisher: "Everyman", thickness: 4.4, height: 22.4,
            design: SpineDesign(
                .cloth, ground: RGBColor(0x1E3A56), ink: gold,
                title: TextStyle(.didotBold, size: 0.6, capitals: true, tracking: 0.06),
                author: TextStyle(.didotBold, size: 0.36, capitals: true),
                titleZone: 0.09...0.48, authorZone: 0.51...0.84, rules: [0.05, 0.06, 0.865, 0.875], logo: .star)),
        DrawnBook(
            "Pride and Prejudice", by: "Jane Austen", publisher: "Dover", thickness: 2.9, height: 19.8,
            design: austen(0xC76B7B)),
        DrawnBook(
            "Emma", by: "Jane Austen", publisher: "Dover", thickness: 3.2, height: 19.8, design: austen(0x6E9A8A)),
        DrawnBook(
            "Les Misérables", by: "Victor Hugo", publisher: "Gallimard", thickness: 4.6, height: 18.2,
            design: SpineDesign(
                .paperback, ground: white, ink: ink, accent: RGBColor(0xB3202A),
                title: TextStyle(.didotBold, .bottomToTop, size: 0.56, ink: RGBColor(0xB3202A)),
                author: TextStyle(.didot, .bottomToTop, size: 0.4), titleZone: 0.06...0.46, authorZone: 0.57...0.82)),
        DrawnBook(
            "Madame Bovary", by: "Gustave Flaubert", publisher: "Garnier", thickness: 2.5, height: 17.9,
            design: SpineDesign(
                .paperback, ground: RGBColor(0xE9C84B), ink: ink,
                title: TextStyle(.cabinBold, .bottomToTop, size: 0.5),
                author: TextStyle(.cabin, .bottomToTop, size: 0.42), titleZone: 0.06...0.45, authorZone: 0.54...0.85,
                footZone: 0.9...0.975)),
        DrawnBook(
            "Faust", by: "Johann Wolfgang von Goethe", publisher: "Insel", thickness: 3.8, height: 21.6,
            design: SpineDesign(
                .cloth, ground: RGBColor(0x6A1F2B), ink: RGBColor(0xEBD9A8),
                title: TextStyle(.oldStandardBold, .stackedLetters, size: 0.92, capitals: true),
                author: TextStyle(.oldStandardBold, .upright, size: 0.24), titleZone: 0.07...0.6,
                authorZone: 0.66...0.82, rules: [0.04, 0.63, 0.86],
                logo: .ring, authorAsPrinted: "Johann\nWolfgang\nvon Goethe")),
        DrawnBook(
            "Don Quijote de la Mancha", by: "Miguel de Cervantes", publisher: "Cátedra", thickness: 5.4, height: 22.6,
            design: SpineDesign(
                .leather, ground: RGBColor(0x6B3F22), ink: RGBColor(0xEFCB74),
                title: TextStyle(.garamondBold, .upright, size: 0.34, capitals: true),
                author: TextStyle(.oldStandardBold, .upright, size: 0.2), titleZone: 0.145...0.275,
                authorZone: 0.33...0.455,
                bands: [SpineBand(0.125...0.295, RGBColor(0x7E1D1D))], rules: [0.1, 0.32, 0.5, 0.68, 0.86],
                logo: .leaf, footZone: 0.88...0.97, titleAsPrinted: "Don\nQuijote de\nla Mancha",
                authorAsPrinted: "Miguel de\nCervantes")),
        DrawnBook(
            "Cien años de soledad", by: "Gabriel García Márquez", thickness: 3.0, height: 20.6,
            design: SpineDesign(
                .jacket, ground: RGBColor(0xE2622F), ink: white,
                title: TextStyle(.spartan, size: 0.46),
                author: TextStyle(.kaffeesatz, size: 0.46, ink: RGBColor(0x2A1208)),
                titleZone: 0.47...0.88, authorZone: 0.05...0.38, logo: .disc, footZone: 0.915...0.98)),
        DrawnBook(
            "Die Verwandlung", by: "Franz Kafka", publisher: "Reclam", thickness: 2.0, height: 17.6,
            design: SpineDesign(
                .paperback, ground: RGBColor(0xF4DA1E), ink: ink, title: TextStyle(.dejaVuSans, size: 0.42),
                author: TextStyle(.cabin, size: 0.46), titleZone: 0.4...0.86, authorZone: 0.06...0.34)),
        DrawnBook(
            "Jane Eyre", by: "Charlotte Brontë", publisher: "Oxford", thickness: 3.4, height: 20.2,
            design: SpineDesign(
                .jacket, ground: RGBColor(0x25422F), ink: cream, accent: gold,
                title: TextStyle(.garamondItalic, size: 0.66), author: TextStyle(.garamond, size: 0.44),
                titleZone: 0.08...0.45, authorZone: 0.5...0.83, rules: [0.475], logo: .leaf)),
        DrawnBook(
            "Wuthering Heights", by: "Emily Brontë", publisher: "Oxford", thickness: 3.2, height: 20.2,
            design: SpineDesign(
                .jacket, ground: RGBColor(0x5B3A4C), ink: cream, accent: gold,
                title: TextStyle(.garamondItalic, size: 0.62), author: TextStyle(.garamond, size: 0.46),
                titleZone: 0.08...0.5, authorZone: 0.55...0.83, rules: [0.525])),
        DrawnBook(
            "Dracula", by: "Bram Stoker", publisher: "Vintage", thickness: 3.5, height: 22.0,
            design: SpineDesign(
                .jacket, ground: RGBColor(0x17161A), ink: RGBColor(0xD8262C), accent: white,
                title: TextStyle(.bebas, .stackedLetters, size: 0.9),
                author: TextStyle(.bebas, .upright, size: 0.42, ink: white),
                titleZone: 0.05...0.69, authorZone: 0.74...0.85, footZone: 0.89...0.97, authorAsPrinted: "Bram\nStoker")
        ),
        DrawnBook(
            "On the Origin of Species", by: "Charles Darwin", publisher: "Murray", thickness: 4.4, height: 21.4,
            design: SpineDesign(
                .cloth, ground: RGBColor(0x3F5B3A), ink: gold,
                title: TextStyle(.goudy, .upright, size: 0.34), author: TextStyle(.goudy, .upright, size: 0.22),
                titleZone: 0.09...0.29, authorZone: 0.36...0.5, rules: [0.05, 0.06, 0.33, 0.86, 0.87], logo: .leaf,
                titleAsPrinted: "On the\nOrigin of\nSpecies", authorAsPrinted: "Charles\nDarwin")),
        DrawnBook(
            "The Time Machine", by: "H. G. Wells", series: "12", thickness: 2.2, height: 18.0,
            design: SpineDesign(
                .paperback, ground: RGBColor(0x2E7FA8), ink: white,
                title: TextStyle(.slab, size: 0.48), author: TextStyle(.slabRegular, size: 0.42),
                titleZone: 0.09...0.52,
                authorZone: 0.62...0.86,
                bands: [SpineBand(0...0.07, RGBColor(0x153F5A)), SpineBand(0.89...1, RGBColor(0x153F5A))],
                logo: .diamond, footZone: 0.91...0.98)),
        DrawnBook(
            "The Picture of Dorian Gray", by: "Oscar Wilde", publisher: "Penrose", thickness: 2.8, height: 20.4,
            lean: 9,
            design: SpineDesign(
                .cloth, ground: RGBColor(0x4B3A67), ink: RGBColor(0xEAD9B0),
                title: TextStyle(.goudy, size: 0.5), author: TextStyle(.goudy, size: 0.4),
                titleZone: 0.05...0.62, authorZone: 0.66...0.87, rules: [0.03, 0.64], footZone: 0.9...0.97)),
    ]

    private static let lyingBooks: [DrawnBook] = [
        DrawnBook(
            "Effi Briest", by: "Theodor Fontane", publisher: "Insel", thickness: 2.3, height: 18.6,
            design: SpineDesign(
                .cloth, ground: RGBColor(0xB9C4BE), ink: RGBColor(0x2B3A4A),
                title: TextStyle(.garamondItalic, size: 0.62), author: TextStyle(.garamond, size: 0.48),
                titleZone: 0.46...0.8,
                authorZone: 0.06...0.42, rules: [0.03, 0.97], logo: .leaf, footZone: 0.84...0.95)),
        DrawnBook(
            "Middlemarch", by: "George Eliot", publisher: "Oxford", thickness: 3.9, height: 20.6,
            design: SpineDesign(
                .jacket, ground: RGBColor(0xE8DCC2), ink: RGBColor(0x7A2E1D),
                title: TextStyle(.didotBold, size: 0.56), author: TextStyle(.didot, size: 0.36), titleZone: 0.06...0.5,
                authorZone: 0.6...0.85, bands: [SpineBand(0.875...1, RGBColor(0x7A2E1D))],
                footZone: 0.9...0.98)),
        DrawnBook(
            "War and Peace", by: "Leo Tolstoy", thickness: 5.4, height: 22.4,
            design: SpineDesign(
                .cloth, ground: RGBColor(0x8C2A22), ink: gold,
                title: TextStyle(.oldStandardBold, size: 0.52, capitals: true, tracking: 0.04),
                author: TextStyle(.oldStandard, size: 0.36), titleZone: 0.06...0.56,
                authorZone: 0.66...0.88, rules: [0.03, 0.04, 0.96, 0.97], logo: .star, footZone: 0.895...0.95)),
        DrawnBook(
            "Buddenbrooks", by: "Thomas Mann", publisher: "Fischer", thickness: 4.4, height: 21.4,
            design: SpineDesign(
                .jacket, ground: RGBColor(0x2F4E5E), ink: white,
                title: TextStyle(.dejaVuSerif, size: 0.44),
                author: TextStyle(.cabin, size: 0.42, ink: RGBColor(0xF0C987)),
                titleZone: 0.42...0.86, authorZone: 0.05...0.37, logo: .book, footZone: 0.885...0.97)),
    ]

    private static let classics: [DrawnBook] = [
        DrawnBook(
            "The Adventures of Sherlock Holmes", by: "Arthur Conan Doyle", publisher: "Strand", thickness: 4.2,
            height: 22.8,
            design: SpineDesign(
                .cloth, ground: RGBColor(0x2C2A28), ink: RGBColor(0xE9C46A),
                title: TextStyle(.slab, size: 0.34, capitals: true), author: TextStyle(.slabRegular, size: 0.27),
                titleZone: 0.135...0.58, authorZone: 0.65...0.83,
                rules: [0.1, 0.12, 0.615, 0.84, 0.86], titleAsPrinted: "The Adventures of\nSherlock Holmes",
                authorAsPrinted: "Arthur\nConan Doyle")),
        DrawnBook(
            "Treasure Island", by: "Robert Louis Stevenson", thickness: 3.1, height: 19.4,
            design: SpineDesign(
                .cloth, ground: RGBColor(0xC79A2E), ink: RGBColor(0x1D2C3B),
                title: TextStyle(.dejaVuSerif, size: 0.46), author: TextStyle(.oldStandardBold, size: 0.42),
                titleZone: 0.06...0.42,
                authorZone: 0.51...0.88, rules: [0.03, 0.97], logo: .diamond, footZone: 0.895...0.96)),
        DrawnBook(
            "Le Petit Prince", by: "Antoine de Saint-Exupéry", publisher: "Gallimard", thickness: 2.4, height: 20.8,
            design: SpineDesign(
                .paperback, ground: RGBColor(0xF3F0E6), ink: RGBColor(0x204A87), accent: RGBColor(0x204A87),
                title: TextStyle(.goudy, .bottomToTop, size: 0.62),
                author: TextStyle(.cabinBold, .bottomToTop, size: 0.44),
                titleZone: 0.05...0.41, authorZone: 0.51...0.885, footZone: 0.91...0.97)),
        DrawnBook(
            "L’Étranger", by: "Albert Camus", publisher: "Minuit", thickness: 2.1, height: 18.4,
            design: SpineDesign(
                .paperback, ground: RGBColor(0x20242B), ink: white,
                title: TextStyle(.kaffeesatz, .bottomToTop, size: 0.72),
                author: TextStyle(.kaffeesatz, .bottomToTop, size: 0.58, ink: RGBColor(0xF2B33D)),
                titleZone: 0.06...0.45, authorZone: 0.5...0.86)),
        DrawnBook(
            "La casa de los espíritus", by: "Isabel Allende", thickness: 3.6, height: 21.2,
            design: SpineDesign(
                .jacket, ground: RGBColor(0x3B7D6E), ink: white, accent: RGBColor(0xF4D58D),
                title: TextStyle(.cabinBold, size: 0.4),
                author: TextStyle(.spartan, size: 0.42, ink: RGBColor(0xF4D58D)),
                titleZone: 0.4...0.88, authorZone: 0.06...0.36, rules: [0.38], logo: .disc, footZone: 0.91...0.975)),
        DrawnBook(
            "Frankenstein", by: "Mary Shelley", publisher: "Vintage", thickness: 2.6, height: 19.0,
            design: SpineDesign(
                .jacket, ground: RGBColor(0xB7C24A), ink: RGBColor(0x16240F),
                title: TextStyle(.bebas, size: 0.8, tracking: 0.04), author: TextStyle(.courier, size: 0.42),
                titleZone: 0.05...0.49,
                authorZone: 0.53...0.87)),
        DrawnBook(
            "Der Zauberberg", by: "Thomas Mann", publisher: "Fischer", thickness: 4.9, height: 22.2,
            design: SpineDesign(
                .jacket, ground: RGBColor(0xDDE6EA), ink: RGBColor(0x1B3A5B), accent: RGBColor(0x1B3A5B),
                title: TextStyle(.bebas, .upright, size: 0.5), author: TextStyle(.cabin, .upright, size: 0.19),
                titleZone: 0.28...0.42, authorZone: 0.1...0.2,
                bands: [
                    SpineBand(0.56...0.8, RGBColor(0x7FA3B8)), SpineBand(0.66...0.8, RGBColor(0x4F7C96)),
                    SpineBand(0.73...0.8, RGBColor(0x2C5774)),
                ],
                rules: [0.24], titleAsPrinted: "Der\nZauberberg", authorAsPrinted: "Thomas\nMann")),
    ]

    /// Two volumes of one edition.
    private static func austen(_ ground: UInt32) -> SpineDesign {
        SpineDesign(
            .cloth, ground: RGBColor(ground), ink: white,
            title: TextStyle(.garamondItalic, size: 0.6), author: TextStyle(.garamondBold, size: 0.42),
            titleZone: 0.36...0.86,
            authorZone: 0.07...0.31, rules: [0.04, 0.335], logo: .book)
    }
}
