#if canImport(Security) && canImport(SwiftUI)
    import Foundation
    import Security
    public import ShelfScannerCore

    /// Keeps the account in the keychain, and the theme in the user defaults.
    public struct DeviceStore: AppStore {
        private static let theme = "theme"

        private var query: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "Shelf Scanner", kSecAttrAccount: "account"]
        }

        public init() {}

        public func account() -> SignInModel.Account? {
            var found: CFTypeRef?
            let query = query.merging([kSecReturnData: true]) { $1 }
            guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, let data = found as? Data else {
                return nil
            }
            return try? JSONDecoder().decode(SignInModel.Account.self, from: data)
        }

        public func keep(_ account: SignInModel.Account?) {
            SecItemDelete(query as CFDictionary)
            guard let account, let data = try? JSONEncoder().encode(account) else { return }
            SecItemAdd(query.merging([kSecValueData: data]) { $1 } as CFDictionary, nil)
        }

        public func theme() -> Theme {
            UserDefaults.standard.string(forKey: Self.theme).flatMap(Theme.init(rawValue:)) ?? .liquidBlue
        }

        public func keep(_ theme: Theme) { UserDefaults.standard.set(theme.rawValue, forKey: Self.theme) }
    }
#endif
