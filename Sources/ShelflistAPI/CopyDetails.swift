/// An amount of money.
public struct Money: Codable, Hashable, Sendable {
    /// In the smallest unit of the currency: cents of EUR, but whole JPY.
    public var amount: Int
    /// Three capital letters of ISO 4217, such as `EUR`.
    public var currency: String

    public init(amount: Int, currency: String) { (self.amount, self.currency) = (amount, currency) }
}

extension Money {
    /// The largest amount, in either direction far from the limits of sums.
    package static let largest = 1_000_000_000_000

    /// The currencies of ISO 4217 whose smallest unit is not a hundredth, with the number of decimal digits.
    private static let digits = [
        "BHD": 3, "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "IQD": 3, "ISK": 0, "JOD": 3, "JPY": 0, "KMF": 0, "KRW": 0,
        "KWD": 3, "LYD": 3, "OMR": 3, "PYG": 0, "RWF": 0, "TND": 3, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0,
        "XOF": 0, "XPF": 0,
    ]

    /// Signs that stand for one currency in lists.
    private static let signs: [Unicode.Scalar: String] = ["€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR"]

    /// The number of decimal digits of a currency.
    package static func digits(of currency: String) -> Int { digits[currency] ?? 2 }

    /// Parses `12.50 EUR`, `12,50 €`, `EUR 1.250,00` or `$12`.
    ///
    /// The last point or comma begins the decimals, unless three digits follow it and the currency has fewer.
    ///
    /// - Parameter currency: of a text without one.
    /// - Returns: nil if the text is not an amount from 0 to the largest one, or has no currency.
    package init?(_ text: String, currency: String? = nil) {
        var (letters, number) = ("", "")
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace && scalar != "'" {
            if let sign = Self.signs[scalar] {
                letters += sign
            } else if scalar.isASCII, scalar.properties.isAlphabetic {
                letters += scalar.properties.uppercaseMapping
            } else {
                number.unicodeScalars.append(scalar)
            }
        }
        let name = letters.isEmpty ? currency?.uppercased() ?? "" : letters
        guard name.utf8.count == 3, name.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        let digits = Self.digits(of: name)
        var (whole, decimals) = (number, "")
        if let mark = number.lastIndex(where: { $0 == "." || $0 == "," }) {
            let rest = number[number.index(after: mark)...]
            let isGroup = rest.count == 3 && digits < 3
            if !isGroup { (whole, decimals) = (String(number[..<mark]), String(rest)) }
        }
        whole.removeAll { $0 == "." || $0 == "," }
        while decimals.count > digits, decimals.last == "0" { decimals.removeLast() }
        guard !(whole + decimals).isEmpty, decimals.count <= digits,
            (whole + decimals).allSatisfy({ $0.isASCII && $0.isNumber }),
            let amount = Int(whole + decimals + String(repeating: "0", count: digits - decimals.count)),
            amount <= Self.largest
        else { return nil }
        self.init(amount: amount, currency: name)
    }

    /// The amount with a decimal point: `12.50`.
    package var number: String {
        let digits = Self.digits(of: currency)
        guard digits > 0 else { return "\(amount)" }
        let text = String(repeating: "0", count: max(0, digits + 1 - "\(amount)".count)) + "\(amount)"
        return "\(text.dropLast(digits)).\(text.suffix(digits))"
    }

    /// As `12.50 EUR`.
    package var text: String { "\(number) \(currency)" }
}

/// The state of a copy.
public enum CopyCondition: String, WireChoice {
    case new, fine, good, worn, poor, damaged
}

/// The worth of the copies of shelves.
package struct LibraryValue: Codable, Hashable, Sendable {
    /// Sums of one currency.
    package struct Sum: Codable, Hashable, Sendable {
        package var currency: String
        /// In the smallest unit.
        package var price: Int
        /// Of the values that copies have, and of the prices of the others.
        package var value: Int

        package init(currency: String, price: Int, value: Int) {
            (self.currency, self.price, self.value) = (currency, price, value)
        }
    }

    package struct Place: Codable, Hashable, Sendable {
        /// Nil for copies on no shelf, and in the total.
        @Null package var shelf: ShelfReference?
        package var copies = 0
        /// The number of copies that have neither a price nor a value.
        package var withoutPrice = 0
        /// By currency.
        package var sums: [Sum] = []
        /// The latest photo of the shelf.
        @Null package var photoUrl: ServerPath?

        package init(shelf: ShelfReference?) { self.shelf = shelf }
    }

    /// In the order of the shelves; copies that are wished for or missing do not count.
    package var places: [Place]
    package var total: Place

    package init(places: [Place], total: Place) { (self.places, self.total) = (places, total) }
}
