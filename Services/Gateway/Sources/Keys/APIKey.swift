import Cryptography

/// The text of an API key: `belfry_` and 43 letters and digits, as many as 256 random bits need.
enum APIKey {
  static let prefix = "belfry_"
  private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  private static let randomLength = 43

  /// A new one. It is shown once and not kept.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()  // the kernel's
    let random = (0..<randomLength).map { _ in characters[Int.random(in: characters.indices, using: &generator)] }
    return prefix + String(decoding: random, as: UTF8.self)
  }

  /// What is kept of it; nil for a text that is no key.
  ///
  /// Neither salted nor slow, as it must be with what people choose: nobody guesses 256 random bits.
  static func hash(of text: String) -> [UInt8]? {
    guard text.hasPrefix(prefix) else { return nil }
    let random = text.utf8.dropFirst(prefix.utf8.count)
    guard random.count == randomLength, random.allSatisfy(characters.contains) else { return nil }
    return SHA256.hash(Array(text.utf8))
  }
}
