package import Foundation

/// The fonts of the drawn spines, all from the Debian packages in `Scripts/setup/packages-test.txt`.
package enum SpineFont: String, CaseIterable, Sendable {
    case garamond = "opentype/ebgaramond/EBGaramond12-Regular.otf"
    case garamondItalic = "opentype/ebgaramond/EBGaramond12-Italic.otf"
    case garamondBold = "opentype/ebgaramond/EBGaramond12-Bold.otf"
    case oldStandard = "truetype/fonts-oldstandard/OldStandard-Regular.ttf"
    case oldStandardBold = "truetype/fonts-oldstandard/OldStandard-Bold.ttf"
    case goudy = "opentype/sortsmill/GoudyBookletter1911.otf"
    case didot = "opentype/didot/GFSDidot.otf"
    case didotBold = "opentype/didot/GFSDidotBold.otf"
    case bebas = "opentype/bebas-neue/BebasNeue-Bold.otf"
    case cabin = "opentype/cabin/Cabin-Medium.otf"
    case cabinBold = "opentype/cabin/Cabin-Bold.otf"
    case spartan = "opentype/league-spartan/LeagueSpartan-SemiBold.otf"
    case kaffeesatz = "opentype/yanone-kaffeesatz/YanoneKaffeesatz-Bold.otf"
    case slab = "opentype/roboto/slab/RobotoSlab-Bold.otf"
    case slabRegular = "opentype/roboto/slab/RobotoSlab-Regular.otf"
    case courier = "opentype/courier-prime/Courier Prime Bold.otf"
    case dejaVuSerif = "truetype/dejavu/DejaVuSerif-Bold.ttf"
    case dejaVuSans = "truetype/dejavu/DejaVuSans-Bold.ttf"

    /// The path at which Debian installs the font.
    package var file: URL { URL(fileURLWithPath: "/usr/share/fonts").appendingPathComponent(rawValue) }
}
