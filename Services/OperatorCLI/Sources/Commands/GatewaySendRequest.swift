/// The body of `POST /api/v1/notifications`, as far as this tool fills it.
struct GatewaySendRequest: Encodable, Sendable {
  struct Audience: Encodable, Sendable {
    var users: [String]?
    var group: String?
    var except: [String]?
  }

  var to: Audience
  /// A code or a name.
  var type: String
  var title: String?
  var body: String?
  var data: [String: String]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(to, forKey: .to)
    if let code = Int(type) {
      try container.encode(code, forKey: .type)
    } else {
      try container.encode(type, forKey: .type)
    }
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(body, forKey: .body)
    if !data.isEmpty { try container.encode(data, forKey: .data) }
  }

  private enum Keys: String, CodingKey {
    case to, type, title, body, data
  }
}
