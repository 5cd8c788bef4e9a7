/// The header fields of a message, unfolded, in their order (RFC 5322, section 2.2).
struct MailHeaders: Sendable, Equatable {
  struct Field: Sendable, Equatable {
    let name: String
    let value: String
  }

  let fields: [Field]

  init(message: [UInt8]) {
    var fields: [Field] = []
    var name = ""
    var value = ""
    for line in message.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      if text.isEmpty { break }
      if text.first == " " || text.first == "\t" {
        value += " " + text.drop { $0 == " " || $0 == "\t" }
        continue
      }
      if !name.isEmpty { fields.append(Field(name: name, value: value)) }
      guard let colon = text.firstIndex(of: ":") else {
        name = ""
        continue
      }
      name = String(text[..<colon])
      value = String(text[text.index(after: colon)...].drop { $0 == " " })
    }
    if !name.isEmpty { fields.append(Field(name: name, value: value)) }
    self.fields = fields
  }

  /// The first field with this name, whatever its case.
  subscript(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
