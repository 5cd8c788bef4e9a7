/// Tells apart names of which a header can say only a part. Pure, and the same in every process.
enum NameHash {
  /// Eight hexadecimal digits (FNV-1a).
  static func text(_ name: String) -> String {
    let digits = String(name.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
