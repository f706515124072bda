#if canImport(SwiftUI) && canImport(UIKit)
    import SwiftUI
    import UIKit

    extension Image {
        /// - Returns: nil if the data is not a picture.
        init?(jpeg data: Data) {
            guard let picture = UIImage(data: data) else { return nil }
            self.init(uiImage: picture)
        }
    }
#elseif canImport(SwiftUI) && canImport(AppKit)
    import AppKit
    import SwiftUI

    extension Image {
        /// - Returns: nil if the data is not a picture.
        init?(jpeg data: Data) {
            guard let picture = NSImage(data: data) else { return nil }
            self.init(nsImage: picture)
        }
    }
#endif
