/// Questions and answers of the domain name system as bytes. Pure.
///
/// Sources: RFC 1035, section 4; RFC 6891 (larger answers over UDP).
enum DNSMessage {
  /// What an answer over UDP may have without being cut on its way (DNS flag day 2020).
  static let datagramLimit = 1_232

  /// A question that asks the server to find out by itself.
  static func question(_ question: DNSQuestion, of name: String, id: UInt16) throws(DNSError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Recursion desired; one question, and one additional record: the size of a datagram.
    for number in [id, 0x0100, 1, 0, 0, 1] { append(number, to: &bytes) }
    bytes += try encoded(name)
    append(question.rawValue, to: &bytes)
    append(1, to: &bytes)
    bytes += [0, 0, 41]
    append(UInt16(datagramLimit), to: &bytes)
    return bytes + [0, 0, 0, 0, 0, 0]
  }

  enum Answer: Equatable {
    case records([DNSRecord])
    /// To be asked again over TCP.
    case truncated
    /// It belongs to another question.
    case foreign
  }

  static func answer(_ bytes: [UInt8], to question: DNSQuestion, of name: String, id: UInt16) throws(DNSError) -> Answer
  {
    var reader = DNSReader(bytes)
    let (itsID, flags) = (try reader.number(), try reader.number())
    let (questions, answers) = (try reader.number(), try reader.number())
    _ = (try reader.number(), try reader.number())
    guard itsID == id, flags & 0x8000 != 0, questions == 1 else { return .foreign }
    let asked = try reader.name()
    let (type, kind) = (try reader.number(), try reader.number())
    guard asked == normalized(name), type == question.rawValue, kind == 1 else { return .foreign }
    let code = Int(flags & 15)
    // 3: there is no such name.
    guard code == 0 || code == 3 else { throw .refused(code: code) }
    if flags & 0x0200 != 0 { return .truncated }
    var found: [DNSRecord] = []
    // Aliases come before what they lead to.
    var owners: Set = [asked]
    for _ in 0..<answers {
      let owner = try reader.name()
      let (type, kind) = (try reader.number(), try reader.number())
      _ = (try reader.number(), try reader.number())
      let end = try reader.position + Int(reader.number()) + 2
      guard end <= bytes.count else { throw .malformed }
      if kind == 1, owners.contains(owner) {
        if type == alias {
          owners.insert(try reader.name())
        } else if type == question.rawValue {
          found.append(try reader.record(question, until: end))
        }
      }
      reader.position = end
    }
    return .records(found)
  }

  /// CNAME.
  private static let alias: UInt16 = 5

  /// In lower case, without a dot at the end.
  static func normalized(_ name: String) -> String {
    let name = name.lowercased()
    return name.hasSuffix(".") ? String(name.dropLast()) : name
  }

  private static func encoded(_ name: String) throws(DNSError) -> [UInt8] {
    let name = normalized(name)
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard !name.isEmpty, name.utf8.count <= 253, labels.allSatisfy({ 1...63 ~= $0.utf8.count }),
      name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw .badName }
    return labels.flatMap { [UInt8($0.utf8.count)] + $0.utf8 } + [0]
  }

  private static func append(_ number: UInt16, to bytes: inout [UInt8]) {
    bytes += [UInt8(number >> 8), UInt8(number & 255)]
  }
}

/// Reads an answer from its front to its end.
struct DNSReader {
  private let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func number() throws(DNSError) -> UInt16 {
    guard position + 2 <= bytes.count else { throw .malformed }
    defer { position += 2 }
    return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
  }

  /// A name in lower case, whose end may stand earlier in the message (RFC 1035, section 4.1.4).
  mutating func name() throws(DNSError) -> String {
    var labels: [String] = []
    var (index, length, isAhead) = (position, 0, true)
    while true {
      guard index < bytes.count else { throw .malformed }
      let count = Int(bytes[index])
      switch count {
      case 0:
        if isAhead { position = index + 1 }
        return labels.joined(separator: ".")
      case 1...63:
        guard index + 1 + count <= bytes.count else { throw .malformed }
        length += count + 1
        guard length <= 255 else { throw .malformed }
        let label = bytes[(index + 1)...(index + count)]
        // A dot within a label would look like two.
        guard label.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ".") }) else { throw .malformed }
        labels.append(String(decoding: label, as: UTF8.self).lowercased())
        index += count + 1
      case 192...255:
        guard index + 1 < bytes.count else { throw .malformed }
        let target = (count & 63) << 8 | Int(bytes[index + 1])
        // Backwards only: nothing goes round in circles.
        guard target < index else { throw .malformed }
        if isAhead { position = index + 2 }
        isAhead = false
        index = target
      default: throw .malformed
      }
    }
  }

  /// What a record holds, up to its end.
  mutating func record(_ question: DNSQuestion, until end: Int) throws(DNSError) -> DNSRecord {
    switch question {
    case .a, .aaaa:
      guard let address = IPAddress(bytes: Array(bytes[position..<end])), address.isIPv4 == (question == .a) else {
        throw .malformed
      }
      return .address(address)
    case .mx: return .mail(preference: try number(), host: try name())
    case .ptr: return .name(try name())
    case .txt:
      var text: [UInt8] = []
      while position < end {
        let count = Int(bytes[position])
        guard position + 1 + count <= end else { throw .malformed }
        text += bytes[(position + 1)..<(position + 1 + count)]
        position += 1 + count
      }
      return .text(String(decoding: text, as: UTF8.self))
    }
  }
}
