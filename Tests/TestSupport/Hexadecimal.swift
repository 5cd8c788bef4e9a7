extension [UInt8] {
  public init?(hexadecimal text: String) {
    let digits = Array<Character>(text)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(digits[index...(index + 1)]), radix: 16) else { return nil }
      bytes.append(byte)
    }
    self = bytes
  }

  public var hexadecimal: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
