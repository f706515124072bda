import Bibliography

/// What Chinese and Japanese text on a spine says without a dictionary: an imprint, who wrote or translated the book.
///
/// These scripts have no spaces, so that each character is a word of the folded text; what is decided by words elsewhere is
/// decided by the characters here.
enum EastAsianText {
    /// Whether most letters of a text are Han characters or kana.
    static func isMost(of text: String) -> Bool {
        let letters = text.unicodeScalars.filter(\.properties.isAlphabetic)
        return !letters.isEmpty && 2 * letters.count(where: isCharacter) > letters.count
    }

    /// The number of Han characters and kana.
    static func length(_ text: String) -> Int { text.unicodeScalars.count(where: isCharacter) }

    /// Whether fewer than half of the pairs of neighbouring characters of a title in Han characters or kana stand side by
    /// side on a spine: each is a word, so that other text with the same characters agrees with the title.
    static func isScattered(_ title: String, among lines: [String]) -> Bool {
        func pairs(_ text: String) -> [[String]] {
            let words = TextNormalisation.words(text)
            return zip(words, words.dropFirst()).map { [$0, $1] }
        }
        guard isMost(of: title) else { return false }
        let (own, read) = (pairs(title), Set(lines.flatMap(pairs)))
        return own.count > 1 && 2 * own.count { read.contains($0) } < own.count
    }

    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isIdeographic || isKana(scalar)
    }

    private static func isKana(_ scalar: Unicode.Scalar) -> Bool {
        // U+30FB divides the words of a name, U+30FC lengthens a vowel.
        0x3041...0x30FF ~= scalar.value && scalar.value != 0x30FB || 0x31F0...0x31FF ~= scalar.value
    }

    /// Whether a short line is a publisher or one of its series: `岩波文庫`, `新潮社`, `人民文学出版社`.
    static func isImprint(_ text: String) -> Bool {
        let plain = text.filter { !$0.isWhitespace && !$0.isNumber && $0.isLetter }
        guard (2...12).contains(plain.count), isMost(of: plain) else { return false }
        return publishers.contains(plain) || endings.contains { plain.hasSuffix($0) }
    }

    /// Of names of publishers and of their series of paperbacks.
    private static let endings = [
        "文庫", "新書", "選書", "叢書", "双書", "出版", "出版社", "出版部", "出版会", "書房", "書店", "書院", "新社",
        "文库", "丛书", "书店", "书局", "书社", "印书馆", "出版集团", "書局", "印書館", "文化事業",
        "社版",
    ]

    /// Those whose names do not end so.
    private static let publishers: Set<String> = [
        "講談社", "新潮社", "集英社", "小学館", "文藝春秋", "角川", "早川", "筑摩", "ちくま", "青土社", "平凡社", "光文社",
        "幻冬舎", "徳間", "双葉社", "白水社", "みすず", "東京創元社", "創元社", "中央公論社", "岩波", "朝日", "学研", "福音館",
        "偕成社", "宝島社", "祥伝社", "晶文社", "工作舎", "藤原", "未来社", "法政大学", "中信", "三联", "译林", "人民文学",
        "上海译文", "译文", "ブルーバックス", "ハヤカワ", "ポプラ社", "ダイヤモンド社", "オライリー", "翻訳権独占", "オーム社", "共立", "裳華房",
    ]

    /// Whether a text is a number of a series: `ア72`, `青一四七-三`, `第3巻`.
    static func isNumber(_ text: String) -> Bool {
        let letters = text.filter { $0.isLetter || $0.isNumber }
        let others = letters.filter { !$0.isNumber && !numerals.contains($0) }
        return letters.count > others.count && (others.count <= 1 || others.allSatisfy { "第巻卷册冊集部".contains($0) })
    }

    private static let numerals = Set("一二三四五六七八九十〇")

    /// What a line says of the people who made the book.
    struct Credits {
        var authors: [String] = []
        /// They are named as its authors where there are none.
        var editors: [String] = []
        /// The rest of the line without translators and others.
        var others: [String] = []
    }

    /// Returns the people whose names a line marks, `ニーチェ著`.
    ///
    /// Where no part has a mark, the line is returned whole, without the number of a series before it.
    static func credits(_ text: String) -> Credits {
        var parts: [String] = []
        for part in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            // `志水速雄 訳`
            if let last = parts.last, marks.contains(where: { $0.mark == part }) {
                parts[parts.count - 1] = last + part
            } else {
                parts.append(part)
            }
        }
        if parts.count > 1, length(parts[0]) <= 1, isNumber(parts[0]) { parts.removeFirst() }
        let credits = parts.map(credit)
        guard let marked = credits.lastIndex(where: { $0 != nil }) else {
            return Credits(others: parts.contains(where: isImprint) ? parts : [parts.joined(separator: " ")])
        }
        var found = Credits()
        var next: Role?
        func add(_ name: String, _ role: Role) {
            switch role {
            case .author: found.authors.insert(name, at: 0)
            case .editor: found.editors.insert(name, at: 0)
            case .other: break
            }
        }
        for place in parts.indices.reversed() {
            if let credit = credits[place] {
                next = credit.role
                add(credit.name, credit.role)
            } else if place < marked, let role = next, isShortName(parts[place]) {
                // A mark after several names is of all of them, but a foreign name is that of the author who was translated.
                let isTranslated =
                    isForeignName(parts[place]) && credits[marked].map { !isForeignName($0.name) } == true
                add(parts[place], isTranslated ? .author : role)
            } else {
                next = nil
                found.others.insert(parts[place], at: 0)
            }
        }
        return found
    }

    /// Returns the names that a text consists of, divided by spaces and `×`, where all are foreign names, or those of
    /// people of Japan; nil for other text.
    static func names(_ text: String) -> [String]? {
        let parts = text.split { $0.isWhitespace || "×＋+".contains($0) }.map(String.init)
        guard parts.count > 1, parts.allSatisfy({ isForeignName($0) || startsWithSurname($0) && credit($0) == nil })
        else { return nil }
        return parts
    }

    /// Whether a text cannot end here: with a particle that joins it to the next words.
    static func isOpen(_ text: String) -> Bool {
        text.last.map { "がのはをにとでへ".contains($0) } == true
    }

    /// A name without the spaces between Han characters that are there for its looks, `永井 均`, and with the capital O of an
    /// initial for the circle as which it is read.
    static func settled(_ name: String) -> String {
        if name.first == "〇", isForeignName(name) { return "O" + name.dropFirst() }
        let parts = name.split(separator: " ")
        return parts.allSatisfy { $0.unicodeScalars.allSatisfy(\.properties.isIdeographic) } ? parts.joined() : name
    }

    /// Whether a line only says which edition this is: `新装版`.
    static func isEdition(_ text: String) -> Bool {
        let plain = text.filter { $0.isLetter && !numerals.contains($0) }
        return (2...5).contains(plain.count) && editions.contains(plain)
    }

    private static let editions: Set<String> = [
        "新装版", "新版", "改訂版", "改訂新版", "増補版", "増補改訂版", "普及版", "完全版", "決定版", "愛蔵版", "文庫版", "第版", "修订版", "增订版", "新裝版",
    ]

    /// Whether katakana is one word, as a foreign surname is: `ニーチェ`.
    static func isForeignSurname(_ text: String) -> Bool {
        (3...8).contains(text.count) && text.unicodeScalars.allSatisfy { 0x30A1...0x30FC ~= $0.value && $0 != "・" }
            && !publishers.contains(text) && !wordsOfSeries.contains(text)
    }

    /// Katakana that stands beside titles and is not a name.
    private static let wordsOfSeries: Set<String> = [
        "コレクション", "セレクション", "シリーズ", "ライブラリー", "ノート", "コミックス", "ミステリー", "ミステリ", "エッセイ", "アンソロジー",
    ]

    static func hasHan(_ text: String) -> Bool { text.unicodeScalars.contains(where: \.properties.isIdeographic) }

    private static func isShortName(_ text: String) -> Bool {
        isForeignName(text)
            || (1...5).contains(text.count) && text.unicodeScalars.allSatisfy(\.properties.isIdeographic)
    }

    enum Role { case author, editor, other }

    /// What a name at the end of a line did for the book, and the name, also `著：友寄隆哉`; nil without such a mark.
    static func credit(_ text: String) -> (name: String, role: Role)? {
        if let colon = text.firstIndex(where: { "：:".contains($0) }), text[..<colon].hasSuffix("著") {
            let name = String(text[text.index(after: colon)...])
            return length(name) >= 2 && name.count <= 24 ? (name, .author) : nil
        }
        let plain = text.trimmingEnd
        for (mark, role) in marks where plain.hasSuffix(mark) {
            let name = String(plain.dropLast(mark.count)).trimmingEnd
            // A title of two characters may end with such a character; a name before it has two or more.
            if length(name) >= 2, name.count <= 24 { return (name, role) }
        }
        return nil
    }

    /// The longer ones first.
    private static let marks: [(mark: String, role: Role)] = [
        ("監訳", .other), ("共訳", .other), ("編訳", .other), ("監修", .other), ("翻訳", .other), ("编译", .other),
        ("主编", .editor), ("編著", .author), ("共著", .author), ("编著", .author), ("原作", .author), ("訳", .other),
        ("譯", .other), ("译", .other), ("著", .author), ("編", .editor), ("编", .editor),
    ]

    /// Whether two to six Han characters or kana begin with a frequent surname of Japan: `加藤典洋`.
    static func startsWithSurname(_ text: String) -> Bool {
        let plain = text.filter { !$0.isWhitespace }
        return (3...6).contains(plain.count) && isMost(of: plain) && surnames.contains(String(plain.prefix(2)))
            && !plain.dropFirst(2).contains { particles.contains($0) }
    }

    /// Words of Japanese titles, which names do not have.
    private static let particles = Set("のはがをにへでともや")

    /// The surnames of two characters among the hundred most frequent ones of Japan.
    private static let surnames: Set<String> = [
        "佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "渡邊", "渡邉", "山本", "中村", "小林", "加藤", "吉田", "山田", "佐々", "山口",
        "松本", "井上", "木村", "斎藤", "斉藤", "齋藤", "清水", "山崎", "阿部", "池田", "橋本", "山下", "石川", "中島", "前田", "藤田",
        "後藤", "小川", "岡田", "村上", "長谷", "近藤", "石井", "坂本", "遠藤", "藤井", "青木", "福田", "三浦", "西村", "藤原", "太田",
        "松田", "原田", "岡本", "中野", "中川", "小野", "田村", "竹内", "金子", "中山", "和田", "石田", "工藤", "上田", "森田", "柴田",
        "酒井", "横山", "宮崎", "宮本", "内田", "高木", "安藤", "谷口", "大野", "丸山", "今井", "高田", "藤本", "河野", "小島", "村田",
        "武田", "上野", "杉山", "増田", "平野", "菅原", "久保", "小山", "千葉", "松井", "岩崎", "木下", "野口", "松尾", "野村", "菊地",
        "菊池", "佐野", "大西", "杉本", "新井", "浜田", "市川", "古川", "水野", "小松", "島田",
    ]

    /// Whether katakana is a foreign name: `ハンナ・アレント`.
    static func isForeignName(_ text: String) -> Bool {
        let parts = text.split { "・･·＝=".contains($0) }
        return (2...4).contains(parts.count)
            && parts.allSatisfy { part in
                (1...10).contains(part.count)
                    && part.unicodeScalars.allSatisfy {
                        // The circle is how a capital O of an initial is read.
                        0x30A0...0x30FF ~= $0.value || $0.isASCII && $0.properties.isUppercase || $0 == "〇"
                    }
            } && parts.contains { $0.count > 1 }
    }
}

extension String {
    /// The text without white space, signs and marks at its end.
    fileprivate var trimmingEnd: String {
        String(reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
    }
}
