import ShelflistAPI
import Testing

@Suite struct PlaceTests {
    @Test("Every wrong character and every exchange of neighbours in a code is detected")
    func codes() throws {
        let alphabet = Array("ACDEFHJKNPRTVXY3479")
        for number in stride(from: 0, to: PlaceCode.count, by: 2_741) {
            let code = PlaceCode(number: number).description
            #expect(PlaceCode(code)?.description == code)
            let letters = Array(code)
            for place in 3..<8 {
                for letter in alphabet where letter != letters[place] {
                    var wrong = letters
                    wrong[place] = letter
                    #expect(PlaceCode(String(wrong)) == nil, "\(code) \(String(wrong))")
                }
                guard place < 7, letters[place] != letters[place + 1] else { continue }
                var swapped = letters
                swapped.swapAt(place, place + 1)
                #expect(PlaceCode(String(swapped)) == nil, "\(code) \(String(swapped))")
            }
        }
    }

    @Test("Each number has a code of its own")
    func distinct() {
        #expect(Set((0..<PlaceCode.count).map { PlaceCode(number: $0) }).count == PlaceCode.count)
    }

    @Test("A code is read in any case, with any dash or none")
    func typed() {
        let code = PlaceCode(number: 4_711)
        let five = code.description.dropFirst(3)
        for text in ["SL\(five)", "sl-\(five.lowercased())", "SL–\(five)", "Sl \(five)"] {
            #expect(PlaceCode(text) == code)
        }
        for text in ["", "SL-", "\(five)", "SL--\(five)", "XL-\(five)", "SL-\(five)A", "SL-\(five.dropLast())"] {
            #expect(PlaceCode(text) == nil, "\(text)")
        }
    }

    @Test(
        "A slash between spaces separates the names of a path",
        arguments: [
            ("Hall", ["Hall"]), ("Home / Study", ["Home", "Study"]),
            (" Home  /  Study / Board 3 ", ["Home", "Study", "Board 3"]),
            ("Sci-fi/Fantasy", ["Sci-fi/Fantasy"]), ("A /B", ["A /B"]), ("Home / ", ["Home", ""]), ("/", ["", ""]),
            ("", [""]),
        ])
    func paths(text: String, names: [String]) {
        #expect(PlacePath(text).names == names)
    }
}
