/// The argument of MAIL and RCPT: `FROM:<address> KEY=value …`.
struct SMTPPath {
  let address: String
  let parameters: [Substring]

  /// Nil if the argument is malformed.
  init?(_ argument: String, keyword: String) {
    guard argument.uppercased().hasPrefix(keyword) else { return nil }
    let rest = argument.dropFirst(keyword.count).drop { $0 == " " }
    guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
    address = String(rest[rest.index(after: rest.startIndex)..<end])
    let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") }
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard isPlain, address.isEmpty || (parts.count == 2 && parts.allSatisfy { !$0.isEmpty }) else { return nil }
    let tail = rest[rest.index(after: end)...]
    guard tail.isEmpty || tail.first == " " else { return nil }
    parameters = tail.split(separator: " ")
  }
}

extension Substring {
  /// Without spaces at either end.
  var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
