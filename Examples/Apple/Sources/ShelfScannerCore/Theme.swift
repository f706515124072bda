import Foundation

/// The colours of the app.
public enum Theme: String, CaseIterable, Codable, Identifiable, Sendable {
    case liquidBlue, cosmicPurple, forestGreen, sunsetOrange, moonlightSilver

    public var id: String { rawValue }

    /// As the settings show it.
    public var name: String {
        switch self {
        case .liquidBlue: "Liquid Blue"
        case .cosmicPurple: "Cosmic Purple"
        case .forestGreen: "Forest Green"
        case .sunsetOrange: "Sunset Orange"
        case .moonlightSilver: "Moonlight Silver"
        }
    }

    /// The colour of buttons and links.
    ///
    /// - Parameter dark: for the dark appearance.
    public func accent(dark: Bool) -> RGB {
        let (light, night): (UInt32, UInt32) =
            switch self {
            case .liquidBlue: (0x0A_5BD3, 0x6C_B4FF)
            case .cosmicPurple: (0x6D_28D9, 0xC0_9BFF)
            case .forestGreen: (0x1B_6E3C, 0x6F_D79A)
            case .sunsetOrange: (0xA8_4300, 0xFF_B070)
            case .moonlightSilver: (0x4A_5563, 0xC5_CDD8)
            }
        return RGB(dark ? night : light)
    }

    /// The colour at the top of the background, which fades to that of the system.
    public func background(dark: Bool) -> RGB { accent(dark: dark).mixed(with: RGB(dark ? 0 : 0xFF_FFFF), part: 0.88) }
}

/// A colour in sRGB; each part is 0...1.
public struct RGB: Hashable, Sendable {
    public let red, green, blue: Double

    public init(_ hex: UInt32) {
        func part(_ shift: UInt32) -> Double { Double(hex >> shift & 0xFF) / 255 }
        (red, green, blue) = (part(16), part(8), part(0))
    }

    private init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// - Parameter part: of the other colour, 0...1.
    public func mixed(with other: RGB, part: Double) -> RGB {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
        return RGB(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// The contrast of two colours after WCAG 2: 1...21; text needs 4.5.
    public func contrast(with other: RGB) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private var luminance: Double {
        func linear(_ part: Double) -> Double {
            part > 0.03928 ? pow((part + 0.055) / 1.055, 2.4) : part / 12.92
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
