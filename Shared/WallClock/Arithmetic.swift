/// Division that rounds towards minus infinity, so that days and weeks before 1970 are numbered like those after.
///
/// `divisor` is positive.
@inlinable package func floorDivide(_ value: Int, _ divisor: Int) -> Int {
  value >= 0 ? value / divisor : (value + 1) / divisor - 1
}

/// What ``floorDivide(_:_:)`` leaves: 0..<divisor.
@inlinable package func floorModulo(_ value: Int, _ divisor: Int) -> Int {
  let rest = value % divisor
  return rest < 0 ? rest + divisor : rest
}

/// The number that one to nine ASCII digits write; nil for anything else: a sign, a space, digits of other scripts.
///
/// `Int(_:)` would take signs. Nine digits cannot overflow.
package func decimal(_ digits: some Collection<UInt8>) -> Int? {
  guard (1...9).contains(digits.count) else { return nil }
  var value = 0
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    value = value * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return value
}

/// A number of 0…9999 in decimal with at least `width` digits.
package func padded(_ value: Int, _ width: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
