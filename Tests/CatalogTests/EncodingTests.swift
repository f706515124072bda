import DelimitedText
import Foundation
import Testing

@Suite struct EncodingTests {
    /// Lists with four books or so, as people have them.
    private static let lists: [([TextEncoding], String)] = [
        (
            [.windows1252, .macRoman, .ibm850],
            "L'Étranger,Albert Camus\nÀ la recherche du temps perdu,Marcel Proust\n"
                + "Les Misérables,Victor Hugo\nLe Père Goriot,Honoré de Balzac"
        ),
        (
            [.windows1252, .macRoman, .ibm850],
            "Die Blechtrommel,Günter Grass\nDer Prozeß,Franz Kafka\n"
                + "Märchen,Brüder Grimm\nÜber die Ästhetik,Jürgen Groß"
        ),
        (
            [.windows1252, .macRoman, .ibm850],
            "Cien años de soledad,Gabriel García Márquez\nNiebla,Miguel de Unamuno\n"
                + "La ciudad y los niños,José Núñez\n¿Dónde está?,Ana Ruiz"
        ),
        (
            [.windows1252, .macRoman],
            "Ensaio sobre a Cegueira,José Saramago\nSertões,Euclides da Cunha\n"
                + "Memórias Póstumas de Brás Cubas,Machado\nCoração,João Guimarães"
        ),
        (
            [.windows1252, .macRoman, .ibm850],
            "Frøken Smilla,Peter Høeg\n"
                + "Den grå bog,Søren Kierkegaard\nÆventyr,Hans Ærø"
        ),
        ([.windows1252, .macRoman], "Gösta Berlings saga,Selma Lagerlöf\nDöden på en fälla,Åsa Öberg"),
        (
            [.windows1252, .macRoman],
            "La verità,Niccolò Ammaniti\nLe città invisibili,Italo Calvino\n"
                + "Perché così,Carlo Cassolà\nIl più bel giorno,Andrà"
        ),
        ([.windows1252], "Sjálfstætt fólk,Halldór Laxness\nÍslandsklukkan,Þórbergur Þórðarson\nBréf til Láru,Guðrún"),
        (
            [.windows1250, .ibm852],
            "Solaris,Stanisław Lem\nWesele,Stanisław Wyspiański\n"
                + "Pan Tadeusz,Adam Mickiewicz\nKsięgi Jakubowe,Olga Tokarczuk\nGłód,Święty Józef"
        ),
        (
            [.windows1250, .ibm852],
            "Nesnesitelná lehkost bytí,Milan Kundera\nOstře sledované vlaky,Bohumil Hrabal\n"
                + "Dášeňka čili život štěněte,Karel Čapek\nPříběhy,Jiří Kolář"
        ),
        (
            [.windows1250, .ibm852],
            "Az ajtó,Szabó Magda\nSorstalanság,Kertész Imre\n"
                + "Egri csillagok,Gárdonyi Géza\nTüskevár,Fekete István\nŐszi fény,Kovács Győző"
        ),
        ([.windows1250], "Maitreyi,Mircea Eliade\nPădurea spânzuraţilor,Liviu Rebreanu\nÎn căutare,Ştefan Bănulescu"),
        (
            [.windows1250],
            "Na Drini ćuprija,Ivo Andrić\nDerviš i smrt,Meša Selimović\n"
                + "Kiklop,Ranko Marinković\nČudo,Đuro Šimić"
        ),
        (
            [.windows1251, .koi8R, .ibm866],
            "Солёные дороги,Нора Квилл\n"
                + "Война и мир,Лев Толстой\nМастер и Маргарита,Михаил Булгаков"
        ),
        ([.windows1251], "Тіні забутих предків,Михайло Коцюбинський\nЇжак,Євген Гуцало"),
        ([.windows1251], "Под игото,Иван Вазов\nТютюн,Димитър Димов"),
        ([.windows1253], "Βίος και πολιτεία του Αλέξη Ζορμπά,Νίκος Καζαντζάκης\nΤο άξιον εστί,Οδυσσέας Ελύτης"),
        (
            [.windows1254],
            "Benim Adım Kırmızı,Orhan Pamuk\nİnce Memed,Yaşar Kemal\n"
                + "Çalıkuşu,Reşat Nuri Güntekin\nTutunamayanlar,Oğuz Atay"
        ),
        ([.windows1255], "סיפור על אהבה וחושך,עמוס עוז\nמישהו לרוץ איתו,דויד גרוסמן"),
        ([.windows1256], "موسم الهجرة إلى الشمال,الطيب صالح\nأولاد حارتنا,نجيب محفوظ"),
        (
            [.windows1257],
            "Balta drobulė,Antanas Škėma\nMetai,Kristijonas Donelaitis\n"
                + "Mėnuo ąžuolų,Šatrijos Ragana\nŽemė,Ūla"
        ),
        (
            [.windows1257],
            "Mērnieku laiki,Reinis Kaudzīte\nZvejnieka dēls,Vilis Lācis\n"
                + "Nāves ēna,Rūdolfs Blaumanis\nSkroderdienas Silmačos,Ķirķis"
        ),
        ([.shiftJIS], "海辺のカフカ,村上春樹\n雪国,川端康成\nこころ,夏目漱石\n塩の道,ノラ・クイル\nコンビニ人間,村田沙耶香"),
        ([.gb18030], "红高粱家族,莫言\n活着,余华\n三体,刘慈欣\n围城,钱钟书"),
        ([.big5], "紅樓夢,曹雪芹\n臺北人,白先勇\n傾城之戀,張愛玲\n撒哈拉的故事,三毛"),
        ([.eucKR], "채식주의자,한강\n82년생 김지영,조남주\n엄마를 부탁해,신경숙"),
    ]

    @Test("The encoding of a list is found by its letters", arguments: lists)
    func detected(encodings: [TextEncoding], text: String) throws {
        let list = "title,author\n" + text + "\n"
        for encoding in encodings {
            let file = try #require(encoding.bytes(list), "\(encoding)")
            var decoder = LineDecoder(start: file)
            let decoded = String(decoding: decoder.decode(file) + decoder.finish(), as: UTF8.self)
            #expect(decoded == list, "\(encoding) was read as \(decoder.encoding)")
        }
        #expect(try EncodingGuess(#require(encodings[0].bytes(list))).alternative == nil)
    }

    @Test("Bytes are those of the standards")
    func standards() {
        let words: [(TextEncoding, [UInt8], String)] = [
            (.windows1250, [0xA3, 0xF3, 0x64, 0x9F], "Łódź"), (.windows1251, [0xD1, 0xEE, 0xEB, 0xB8], "Солё"),
            (.windows1252, [0x80, 0x9C, 0xE9], "€œé"), (.windows1253, [0xC1, 0xEB, 0xDD], "Αλέ"),
            (.windows1254, [0xDE, 0xFD, 0xF0], "Şığ"), (.windows1255, [0xF9, 0xEC, 0xE5, 0xED], "שלום"),
            (.windows1256, [0xE3, 0xE6, 0xD3, 0xE3], "موسم"), (.windows1257, [0xE0, 0xE8, 0xFE], "ąčž"),
            (.shiftJIS, [0x8A, 0x43, 0x95, 0xD3, 0x82, 0xCC], "海辺の"),
            (.gb18030, [0xBB, 0xEE, 0xD7, 0xC5], "活着"), (.big5, [0xAC, 0xF5, 0xBC, 0xD3], "紅樓"),
            (.eucKR, [0xC7, 0xD1, 0xB0, 0xAD], "한강"), (.koi8R, [0xED, 0xC9, 0xD2], "Мир"),
            (.macRoman, [0x8E, 0x88, 0x9F], "éàü"), (.macCyrillic, [0x8C, 0xE8, 0xF0], "Мир"),
            (.ibm850, [0x82, 0x84, 0xE1], "éäß"), (.ibm852, [0x9D, 0xA2, 0x64, 0xAB], "Łódź"),
            (.ibm866, [0x8C, 0xA8, 0xE0], "Мир"),
        ]
        for (encoding, bytes, word) in words {
            #expect(encoding.text(bytes) == word)
            #expect(TextEncoding(named: encoding.rawValue.uppercased()) == encoding)
        }
        let tried = Set(words.map(\.0)).union([.utf8, .utf16LittleEndian, .utf16BigEndian])
        #expect(tried == Set(TextEncoding.allCases))
    }

    @Test("What is invalid in an encoding does not damage the rest of its line")
    func invalid() {
        #expect(TextEncoding.shiftJIS.text([0x8A, 0x43, 0xFF, 0x41, 0x95, 0xD3]) == "海\u{FFFD}A辺")
        #expect(TextEncoding.utf8.text([0x41, 0xC3, 0x42]) == "A\u{FFFD}B")
    }

    /// Every character of one or two bytes, and some of GB 18030's four.
    private static func characters(of encoding: TextEncoding) throws -> [[UInt8]] {
        let foundation = try #require(encoding.foundation)
        func isValid(_ bytes: [UInt8]) -> Bool { String(bytes: bytes, encoding: foundation) != nil }
        let high: [UInt8] = Array(0x80...0xFF)
        let single: [[UInt8]] = high.map { [$0] }.filter(isValid)
        guard multibyte.contains(encoding) else { return single }
        let leads = high.filter { !single.contains([$0]) }
        let second: [UInt8] = Array(0x30...0xFF)
        let pairs: [[UInt8]] = leads.flatMap { lead in second.map { [lead, $0] } }.filter(isValid)
        guard encoding == .gb18030 else { return single + pairs }
        let long: [[UInt8]] = stride(from: 0, to: 126 * 12600, by: 311).map { place in
            let (first, second) = (place / 12600, place / 1260 % 10)
            let (third, fourth) = (place / 10 % 126, place % 10)
            return [UInt8(0x81 + first), UInt8(0x30 + second), UInt8(0x81 + third), UInt8(0x30 + fourth)]
        }
        return single + pairs + long.filter(isValid)
    }

    private static let multibyte: [TextEncoding] = [.shiftJIS, .gb18030, .big5, .eucKR]

    @Test("Valid text is what Foundation makes of it", arguments: codePages)
    func valid(encoding: TextEncoding) throws {
        let foundation = try #require(encoding.foundation)
        // In another order, each beside others.
        let characters = try Self.characters(of: encoding)
        for step in [1, 7] {
            var text: [UInt8] = []
            for place in (0..<step).flatMap({ stride(from: $0, to: characters.count, by: step) }) {
                text += characters[place]
                text += Array("a,".utf8)
                text += characters[characters.count - 1 - place]
            }
            let expected = try #require(String(bytes: text, encoding: foundation))
            #expect(encoding.text(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
        }
    }

    private static let codePages = TextEncoding.allCases.filter { $0 != .utf8 && !$0.isUTF16 }

    @Test(
        "A list is decoded with one conversion for each character, however many bytes are invalid", arguments: codePages
    )
    func conversions(encoding: TextEncoding) throws {
        // All bytes after each other, some of them invalid, and an invalid byte before a long text.
        let high: [UInt8] = Array(0x80...0xFF)
        let bytes: [UInt8] = high.flatMap { (byte: UInt8) -> [UInt8] in [byte, 0xFF, byte] }
        let character = try #require(try Self.characters(of: encoding).last)
        let line = bytes + [0xFF] + Array(repeatElement(character, count: 40).joined()) + Array(",x\n".utf8)
        func conversions(lines: Int) -> Int {
            let file = Array(repeatElement(line, count: lines).joined())
            var decoder = LineDecoder(start: file, encoding: encoding)
            let text = decoder.decode(file) + decoder.finish()
            #expect(text.count { $0 == 0x0A } == lines)
            return decoder.conversions
        }
        let once = conversions(lines: 1)
        // Each byte alone, and each with its next.
        #expect((1...bytes.count * 2 + 10).contains(once))
        #expect(conversions(lines: 50) == once)
    }

    @Test("Any bytes are decoded with at most two conversions for each pair of bytes", arguments: codePages)
    func anyBytes(encoding: TextEncoding) {
        var random = SeededGenerator(seed: 1)
        let file = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        var decoder = LineDecoder(start: file, encoding: encoding)
        _ = decoder.decode(file) + decoder.finish()
        #expect(decoder.conversions <= 2 * 128 * 256, "\(decoder.conversions)")
    }

    @Test("A file is decoded megabyte by megabyte: up to a limit, and until its task is canceled")
    func pieces() async throws {
        let line = Array("Für Elise,Ludwig\n".unicodeScalars.map { UInt8($0.value) })
        let file = Array(repeatElement(line, count: 150_000).joined())
        var whole = LineDecoder(start: file)
        let (all, isWhole) = try whole.decode(file: file)
        #expect(isWhole && all.count == 150_000 * (line.count + 1))
        var limited = LineDecoder(start: file)
        let (start, isComplete) = try limited.decode(file: file, limit: 1)
        #expect(!isComplete && start.count < 1_200_000 && start.last == 0x0A && all.starts(with: start))
        var exact = LineDecoder(start: file)
        #expect(try exact.decode(file: file, limit: file.count).isWhole)
        let canceled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var decoder = LineDecoder(start: file)
            return try decoder.decode(file: file).text.count
        }
        await #expect(throws: CancellationError.self) { try await canceled.value }
    }

    @Test("One letter is not enough to be certain, and the common encoding is preferred")
    func uncertain() throws {
        let file = try #require(TextEncoding.windows1252.bytes("title,author\nDom Juan,Molière\n"))
        let decoder = LineDecoder(start: file)
        #expect(decoder.guess?.encoding == .windows1252 && decoder.guess?.alternative == .windows1250)
        let none = LineDecoder(start: Array("title\nEmma\n".utf8))
        #expect(none.guess == nil && none.encoding == .utf8)
    }

    @Test("An encoding that was named is used for every line")
    func named() throws {
        let list = "title\nŁódź\n"
        let file = try #require(TextEncoding.windows1250.bytes(list))
        for (encoding, expected) in [(TextEncoding.windows1250, list), (.windows1252, "title\n£ódŸ\n")] {
            var decoder = LineDecoder(start: file, encoding: encoding)
            let text = decoder.decode(file) + decoder.finish()
            #expect(String(decoding: text, as: UTF8.self) == expected && decoder.encoding == encoding)
        }
        let utf16 = try #require(list.data(using: .utf16LittleEndian))
        var decoder = LineDecoder(start: Array(utf16), encoding: .utf16LittleEndian)
        #expect(String(decoding: decoder.decode(Array(utf16)) + decoder.finish(), as: UTF8.self) == list)
    }
}

extension TextEncoding {
    /// Returns a text in this encoding; nil if it has other characters.
    fileprivate func bytes(_ text: String) -> [UInt8]? {
        foundation.flatMap { text.data(using: $0) }.map { [UInt8]($0) }
    }
}
