import Bibliography

/// What names of publishers are besides: ordinary words, surnames, parts of titles.
extension Publishers {
    /// Whether a word is a name that ends with what it names: `sportverlag`, `thriftbooks`.
    static func isCompound(_ word: String) -> Bool {
        !plainCompounds.contains(word)
            && ["verlag", "press", "books", "publishing"].contains { word.hasSuffix($0) && word.count >= $0.count + 4 }
    }

    /// Words of titles that end so.
    private static let plainCompounds: Set<String> = [
        "compress", "decompress", "suppress", "wordpress", "letterpress", "winepress", "notebooks", "textbooks",
        "handbooks", "cookbooks", "storybooks", "scrapbooks", "workbooks", "yearbooks", "guidebooks", "audiobooks",
        "schoolbooks", "chapbooks", "sketchbooks", "passbooks",
    ]

    /// Whether words are an ordinary one that names a publisher too: an imprint only where it is a line of its own, smaller
    /// than the title.
    static func isOrdinary(_ words: [String]) -> Bool { ordinary.contains(words.joined(separator: " ")) }

    /// Whether all words of a spine are one of those that are titles where they stand alone.
    ///
    /// In Latin letters, such a word alone is what is left of a spine that was not read more often than a title.
    static func isOrdinaryTitle(_ words: [String]) -> Bool { ordinaryTitles.contains(words.joined(separator: " ")) }

    /// Whether a word continues a title that the name of a publisher begins: `The Oxford Book` and `of English Verse`.
    static func continuesTitle(_ word: String) -> Bool {
        ["of", "to", "for", "der", "des", "zur", "zum"].contains(word)
    }

    /// Whether no letter of a name is wrong.
    static func isExactly(_ words: [String]) -> Bool {
        names.contains(words.joined(separator: " ")) || names.contains(words.joined())
    }

    /// Whether words are the name of an imprint that is a surname as well.
    static func isSurname(_ words: [String]) -> Bool { words.count == 1 && surnames.contains(words[0]) }

    private static let surnames: Set<String> = [
        "walker", "baker", "fischer", "beck", "piper", "herder", "norton", "holt", "griffin", "manning", "collins",
        "murray", "constable", "heyne", "goldmann", "scribner", "atwood", "hutchinson", "orion", "warner", "abrams",
        "macmillan", "nelson", "heinemann", "warburg", "duckworth", "crowell", "lippincott", "collier", "putnam",
    ]

    /// Whether a line is a genre as shops and publishers print it at the head or foot of a spine.
    static func isGenre(_ words: [String]) -> Bool { genres.contains(words.joined(separator: " ")) }

    private static let genres: Set<String> = Set(
        """
        fiction|nonfiction|non fiction|health|travel|cooking|cookery|biography|autobiography|memoir|history|science|
        psychology|business|self help|true crime|crime|poetry|humour|humor|reference|religion|philosophy|politics|
        sci tech|mystery|romance|suspense|horror|science fiction|young adult|parenting|sport|sports|gardening|crafts|
        literature|art
        """.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init))

    private static let ordinaryTitles: Set<String> = Set(
        """
        мир|книга|искусство|текст|правда|мысль|малыш|миф|корпус|наука|прогресс|радуга|лабиринт|клевер|современник|
        просвещение|терра|самокат|азбука|арена|молодая гвардия
        """.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init))

    private static let ordinary = ordinaryTitles.union(
        """
        anchor crown free pocket gallery touchstone image list stock debate destino columna record arrow sphere phoenix \
        abacus octopus vertigo europa prometheus lumen ariel critica zebra mira arena chronicle kosmos strand forge \
        counterpoint pantheon speak flamingo panther paladin mentor minerva spectrum meridian bison compass harvest \
        perennial headline
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
