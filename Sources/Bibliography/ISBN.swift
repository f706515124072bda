import Bounds

/// An International Standard Book Number with a valid check digit.
///
/// ISBN-10 and ISBN-13 of the same book are equal: the canonical form is the ISBN-13 (ISO 2108), without hyphens.
public struct ISBN: Hashable, Comparable, Sendable {
    /// The ISBN-13 as a number, 9,780,000,000,000...9,799,999,999,999.
    public let number: Int

    public var isbn13: String { String(number) }

    /// The ten digits, the last of which may be `X`; nil for 979 numbers, which do not have an ISBN-10.
    public var isbn10: String? {
        guard isbn13.hasPrefix("978") else { return nil }
        let body = isbn13.dropFirst(3).dropLast()
        let sum = zip(body.compactMap(\.wholeNumberValue), 1...9).reduce(0) { $0 + $1.0 * $1.1 }
        return String(body) + (sum % 11 == 10 ? "X" : String(sum % 11))
    }

    /// Creates an ISBN from an ISBN-13 as a number; nil if its prefix or check digit is wrong.
    public init?(number: Int) {
        guard (9_780_000_000_000...9_799_999_999_999).contains(number) else { return nil }
        guard Self.checkDigit(ofTwelve: number / 10) == number % 10 else { return nil }
        self.number = number
    }

    /// Reads an ISBN in the notations that people and files use; nil if the text is not a valid ISBN.
    ///
    /// Hyphens of any kind and spaces may separate the digits, which may be those of any script; `ISBN`, `ISBN-13:` or `="`
    /// may precede them. Text may follow unless it starts with a letter or digit: `978-84-271-3217-7 (rúst.)`. The two or
    /// five digits of a barcode's add-on may follow the thirteen: `978190001901951299`.
    public init?(_ text: String) {
        var digits: [Int] = []
        var hasX = false
        var rest = Self.withoutLabel(Array(text.unicodeScalars.prefix(64)))[...]
        while let scalar = rest.first {
            if let digit = Self.digit(scalar), !hasX, digits.count < 13 {
                digits.append(digit)
            } else if scalar == "x" || scalar == "X", digits.count == 9, !hasX {
                hasX = true
                digits.append(10)
            } else if digits.count == 13, [2, 5].contains(rest.prefix { Self.digit($0) != nil }.count) {
                break
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                return nil
            } else if scalar.properties.isDash || scalar.properties.isWhitespace {
                // A second number may follow the first: "0451524934 9780451524935".
                if scalar.properties.isWhitespace, digits.count == 10, Self(tenDigits: digits) != nil { break }
                if digits.count == 13 { break }
            } else if !digits.isEmpty {
                break
            }
            rest.removeFirst()
        }
        switch digits.count {
        case 10: self.init(tenDigits: digits)
        case 13 where !hasX: self.init(number: digits.reduce(0) { $0 * 10 + $1 })
        default: return nil
        }
    }

    /// Reads an ISBN-10 that a spreadsheet took for a number, so that it lost up to three zeros at its beginning.
    ///
    /// - Returns: nil if the text has other characters, or the check digit is wrong with the zeros.
    package static func withoutZeros(_ text: String) -> ISBN? {
        let text = text.trimmed.uppercased()
        let isNumber = text.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
        guard (7...9).contains(text.count), isNumber else { return nil }
        return ISBN(String(repeating: "0", count: 10 - text.count) + text)
    }

    /// The value of a decimal digit of any script.
    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII { return Int(String(scalar)) }
        guard scalar.properties.numericType == .decimal else { return nil }
        return scalar.properties.numericValue.map { Int(saturating: $0) }
    }

    /// Reads UTF-8 that contains only digits, hyphens and spaces; fast enough for importing millions of records.
    package init?(digits utf8: some Collection<UInt8>) {
        var value = 0
        var count = 0
        var tenSum = 0
        for byte in utf8 {
            let digit = Int(byte &- 0x30)
            if digit < 10, count < 13 {
                value = value * 10 + digit
                count += 1
                if count <= 10 { tenSum += digit * count }
            } else if byte | 0x20 == UInt8(ascii: "x"), count == 9 {
                value *= 10
                count = 10
                tenSum += 100
            } else if byte != UInt8(ascii: "-"), byte != 0x20 {
                return nil
            }
        }
        if count == 13 {
            self.init(number: value)
        } else {
            guard count == 10, tenSum % 11 == 0 else { return nil }
            let twelve = 978_000_000_000 + value / 10
            self.init(number: twelve * 10 + Self.checkDigit(ofTwelve: twelve))
        }
    }

    public static func < (a: ISBN, b: ISBN) -> Bool { a.number < b.number }

    private init?(tenDigits digits: [Int]) {
        let sum = zip(digits, 1...10).reduce(0) { $0 + $1.0 * $1.1 }
        guard digits.count == 10, sum % 11 == 0 else { return nil }
        let twelve = digits.prefix(9).reduce(978) { $0 * 10 + $1 }
        self.init(number: twelve * 10 + Self.checkDigit(ofTwelve: twelve))
    }

    private static func checkDigit(ofTwelve number: Int) -> Int {
        var rest = number
        var sum = 0
        for place in 0..<12 {
            sum += rest % 10 * (place.isMultiple(of: 2) ? 3 : 1)
            rest /= 10
        }
        return (10 - sum % 10) % 10
    }

    /// Removes a label before the number: `ISBN`, `ISBN-10`, `ISBN-13:`, quotes, an equals sign.
    private static func withoutLabel(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var rest = text[...]
        let isMark = { (scalar: Unicode.Scalar) in
            !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
        }
        rest = rest.drop(while: isMark)
        guard rest.prefix(4).map({ $0.properties.lowercaseMapping }) == ["i", "s", "b", "n"] else { return Array(rest) }
        rest = rest.dropFirst(4).drop(while: isMark)
        // "13" or "10" belongs to the label if a colon or space and at least nine more digits follow.
        let label = rest.prefix(2)
        if label.elementsEqual(["1", "3"]) || label.elementsEqual(["1", "0"]),
            let next = rest.dropFirst(2).first, isMark(next),
            rest.dropFirst(2).filter({ $0.isASCII && $0.properties.numericType != nil }).count >= 9
        {
            rest = rest.dropFirst(2).drop(while: isMark)
        }
        return Array(rest)
    }
}

extension ISBN: LosslessStringConvertible {
    public var description: String { isbn13 }
}

extension ISBN: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let isbn = ISBN(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not a valid ISBN"))
        }
        self = isbn
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(isbn13)
    }
}
