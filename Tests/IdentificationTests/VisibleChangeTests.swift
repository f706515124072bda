import Identification
import SpineReading
import Testing

@Suite("Where a line divides")
struct VisibleChangeTests {
    private static let text = "Winter Light Ana Moreno"

    /// The value of each feature where the line is read as this title and author.
    private static func features(
        _ spaces: [WordSpace]?, _ title: String = "Winter Light", _ author: String? = "Ana Moreno"
    ) throws -> [Double] {
        var line = down(text, x: 300, from: 100, length: 500)
        line.spaces = spaces
        let readings = try RoleAssignment.readings(of: placed([line]))
        return try #require(readings.first { $0.roles.title == title && $0.roles.author == author }).features
    }

    private static func value(_ name: String, of features: [Double]) throws -> Double {
        features[try #require(ParseFeatures.names.firstIndex(of: name))]
    }

    private static func spaces(_ contrasts: [Double], gap: Double = 1.5) -> [WordSpace] {
        contrasts.enumerated().map { WordSpace(gap: $0 == 1 ? gap : 1.5, contrast: $1) }
    }

    private static let names = ["cutSeen", "cutContrast", "cutLead", "cutGap"]

    @Test("The change at the place of a cut is compared with those at the other spaces")
    func lead() throws {
        let spaces = Self.spaces([3, 12, 4], gap: 3)
        let right = try Self.features(spaces)
        #expect(try Self.value("cutSeen", of: right) == 1)
        #expect(try Self.value("cutContrast", of: right) > 2)
        #expect(try Self.value("cutLead", of: right) > 1)
        #expect(try Self.value("cutGap", of: right) > 1)
        let wrong = try Self.features(spaces, "Winter", "Light Ana Moreno")
        #expect(try Self.value("cutLead", of: wrong) < -1)
    }

    @Test("A gap of nine letters says no more than one of four")
    func wideGap() throws {
        let (wide, wider) = (Self.spaces([3, 3, 3], gap: 4), Self.spaces([3, 3, 3], gap: 9))
        #expect(try Self.value("cutGap", of: Self.features(wide)) == Self.value("cutGap", of: Self.features(wider)))
    }

    @Test(
        "Nothing is seen where the line is whole, where only text is known, and where the spaces are not those of the text",
        arguments: [
            ([WordSpace](repeating: WordSpace(gap: 2, contrast: 9), count: 3), true), (nil, false), ([], false),
            ([WordSpace(gap: 2, contrast: 9)], false),
        ] as [([WordSpace]?, Bool)])
    func unseen(_ spaces: [WordSpace]?, isWhole: Bool) throws {
        let features = isWhole ? try Self.features(spaces, Self.text, nil) : try Self.features(spaces)
        #expect(try Self.names.allSatisfy { try Self.value($0, of: features) == 0 })
    }

    @Test("A visible change makes a cut likelier than the text alone, and no change less likely")
    func weights() throws {
        let model = try MatchingModel.fitted.get().roles
        let known = try model.value(Self.features(nil))
        #expect(try model.value(Self.features(Self.spaces([5, 15, 5], gap: 2.5))) > known + 1)
        #expect(try model.value(Self.features(Self.spaces([1, 1, 1]))) < known - 1)
    }
}
