/// Names of connections: base64url of 16 random bytes, as the original hands them out.
enum ConnectionID {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// 128 bits from the system's generator: nobody guesses another's.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    var (high, low) = (generator.next(), generator.next())
    return String(unsafeUninitializedCapacity: 22) { text in
      for position in 0..<22 {
        text[position] = alphabet[Int(high >> 58)]
        high = high << 6 | low >> 58
        low <<= 6
      }
      return 22
    }
  }
}
