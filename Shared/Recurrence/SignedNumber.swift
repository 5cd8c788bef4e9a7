import WallClock

/// The number that an optional sign and ASCII digits write (RFC 5545 `plus`, `minus`); nil for anything else.
func signedNumber(_ text: some StringProtocol) -> Int? {
  let bytes = Array(text.utf8.prefix(11))
  switch bytes.first {
  case UInt8(ascii: "+"): return decimal(bytes.dropFirst())
  case UInt8(ascii: "-"): return decimal(bytes.dropFirst()).map { -$0 }
  default: return decimal(bytes)
  }
}
