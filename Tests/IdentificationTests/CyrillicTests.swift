import Bibliography
import Fixtures
import Identification
import ShelflistAPI
import Testing

/// Letters are compared, not the bytes of UTF-8, of which half agree by chance in such words.
@Suite("Records in Cyrillic letters") struct CyrillicTests {
    private static let list = [
        ("Война и мир", "Лев Толстой"), ("Анна Каренина", "Лев Толстой"),
        ("Преступление и наказание", "Фёдор Достоевский"),
        ("Идиот", "Фёдор Достоевский"), ("Мёртвые души", "Николай Гоголь"), ("Ревизор", "Николай Гоголь"),
        ("Евгений Онегин", "Александр Пушкин"), ("Капитанская дочка", "Александр Пушкин"),
        ("Герой нашего времени", "Михаил Лермонтов"), ("Отцы и дети", "Иван Тургенев"), ("Вишнёвый сад", "Антон Чехов"),
        ("Обломов", "Иван Гончаров"), ("Гроза", "Александр Островский"),
    ]

    private func matches(_ lines: [String]) throws -> [BookMatch] {
        let records = Self.list.map { record($0.0, by: $0.1) }
        return try SpineMatcher(catalog: InMemoryCatalog(records: records))
            .matches(for: lines.map { ReadText(text: $0, score: 0.97) })
    }

    @Test(
        "A book that the list lacks is not another one",
        arguments: [
            ["Овод", "Войнич"], ["Каменный цветок", "Павел Бажов"], ["ТАЙНА РЕКИ"], ["Северный ветер", "Мария Лесная"],
            ["Дом у моря", "Ирина Волкова"], ["СТАРАЯ МЕЛЬНИЦА"], ["Последний трамвай", "Олег Рябинин"],
            ["Зимняя дорога"],
            ["История садов", "Анна Вишневская"], ["Город у горы", "Пётр Белов"], ["Школа капитанов"],
            ["Ночные огни", "Лев Маслов"], ["Дети капитана", "Иван Крылов"], ["Море и небо"], ["Сад камней"],
            ["Лесник"],
        ])
    func unknown(lines: [String]) throws {
        #expect(try matches(lines).allSatisfy { $0.confidence < 0.35 })
    }

    @Test(
        "A book of the list is found, also with a letter read wrong",
        arguments: [
            (["ВОЙНА И МИР", "ЛЕВ ТОЛСТОЙ"], "Война и мир"),
            (["Лермонтов", "Герой нашего временк"], "Герой нашего времени"),
            (["Ф. ДОСТОЕВСКИЙ", "ПРЕСТУПЛЕНИЕ И НАКАЗАНИЕ"], "Преступление и наказание"),
            (["А. П. Чехов", "Вишневый сад"], "Вишнёвый сад"),
        ])
    func known(lines: [String], title: String) throws {
        let best = try #require(try matches(lines).first)
        #expect(best.title == title && best.confidence >= 0.6)
    }
}

/// Invented titles and people.
@Suite("Spines in Cyrillic letters") struct CyrillicRoleTests {
    @Test(
        "Title and author",
        arguments: [
            (["Ирина Волкова", "Зимняя дорога"], "Зимняя дорога", "Ирина Волкова"),
            (["Зимняя дорога", "Пётр Белов", "АСТ"], "Зимняя дорога", "Пётр Белов"),
            (["Николай Петрович Лесной", "Хранитель маяка"], "Хранитель маяка", "Николай Петрович Лесной"),
            (["Полночная звезда", "ЭКСМО"], "Полночная звезда", nil),
            (["АНАТОЛИЙ ГРЕЧКИН", "ВЕТЕР НАД ПОЛЕМ"], "Ветер над полем", "Анатолий Гречкин"),
            (["ПИСЬМА ИЗ ГАВАНИ"], "Письма из гавани", nil),
        ] as [([String], String, String?)])
    func roles(lines: [String], title: String, author: String?) throws {
        #expect(try named(lines.map { ($0, 36) }, widthOfLetter: 0.6, gap: 60) == [title, author])
    }

    @Test("An ordinary word is an imprint below a larger title, and a title alone, large or in a longer line")
    func ordinaryImprints() throws {
        let below = try named([("ЗИМНЯЯ ДОРОГА", 36), ("ПЁТР БЕЛОВ", 36), ("МИР", 20)], widthOfLetter: 0.6)
        #expect(below == ["Зимняя дорога", "Пётр Белов"])
        #expect(try named([("Искусство", 36)], widthOfLetter: 0.6) == ["Искусство", nil])
        #expect(try named([("Книга", 60), ("Ирина Волкова", 36)], widthOfLetter: 0.6) == ["Книга", "Ирина Волкова"])
        #expect(try named([("Книга о реке", 36)], widthOfLetter: 0.6) == ["Книга о реке", nil])
    }

    @Test("A volume and an imprint alone are not a book", arguments: ["Том 2", "АСТ", "Детская литература"])
    func others(text: String) throws {
        #expect(try identify([down(text, x: 500, from: 100, length: 400)]).books.isEmpty)
    }
}
