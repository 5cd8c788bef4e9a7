// Written for iOS 17. Not compiled on Linux, which has no keychain.
import Foundation

#if canImport(Security)
  import Security

  /// Keeps the credentials in the keychain, on this device alone, readable from the first unlocking after a restart on.
  @MainActor
  final class KeychainStore: CredentialStore {
    private let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword,
      kSecAttrService: "com.example.belfry",
      kSecAttrAccount: "credentials",
    ]

    var credentials: SignInForm.Credentials? {
      get {
        var query = query
        query[kSecReturnData] = true
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, let data = item as? Data else {
          return nil
        }
        return try? JSONDecoder().decode(SignInForm.Credentials.self, from: data)
      }
      set {
        SecItemDelete(query as CFDictionary)
        guard let newValue, let data = try? JSONEncoder().encode(newValue) else { return }
        var item = query
        item[kSecValueData] = data
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        // Where it fails the user signs in again at the next start.
        SecItemAdd(item as CFDictionary, nil)
      }
    }
  }
#endif

@MainActor
func defaultCredentialStore() -> any CredentialStore {
  #if canImport(Security)
    return KeychainStore()
  #else
    return MemoryCredentialStore()
  #endif
}
