import BelfryJSON

/// Reads a fault that a client of the control API asks for; unknown or unfitting fields are refused by name.
enum FaultReader {
  struct Wanted: Equatable {
    let match: Fault.Match
    let effect: FaultEffect
    let times: Int?
  }

  static func read(_ body: [UInt8]) throws(ControlError) -> Wanted {
    let json: JSONValue
    do { json = try JSONParser.parse(body) } catch { throw .invalid("body", error.description) }
    try checkNames(json, ["match", "effect", "times"], at: "")
    guard let effectJSON = json["effect"] else { throw .invalid("effect", "is missing") }
    let effect = try effect(effectJSON)
    let match = try match(json["match"] ?? .object([]), effect)
    let times = try integer(json, "times", in: 1...1_000_000_000, at: "times")
    return Wanted(match: match, effect: effect, times: times)
  }

  // MARK: Parts

  private static func match(_ json: JSONValue, _ effect: FaultEffect) throws(ControlError) -> Fault.Match {
    try checkNames(json, ["channel", "token", "recipient", "share"], at: "match")
    let token = try text(json, "token", at: "match.token")
    let recipient = try text(json, "recipient", at: "match.recipient")
    if token != nil, recipient != nil { throw .invalid("match", "either token or recipient") }
    var channel: Fault.Channel = recipient != nil || effect.kind == .smtp ? .email : .push
    if [.reason, .goaway].contains(effect.kind) { channel = .apns }
    if let name = try text(json, "channel", at: "match.channel") {
      channel = try choice(name, at: "match.channel")
    }
    if [.reason, .goaway].contains(effect.kind), channel != .apns {
      throw .invalid("effect.kind", "\(effect.kind.rawValue) is for the channel apns")
    }
    if token != nil, ![.push, .topic, .apns, .webpush].contains(channel) {
      throw .invalid("match.token", "only pushes and subscriptions have a token")
    }
    if recipient != nil, channel != .email { throw .invalid("match.recipient", "only mails have a recipient") }
    if effect.kind == .smtp, channel != .email { throw .invalid("effect.kind", "smtp is for the channel email") }
    if channel == .email, ![.smtp, .latency, .reset, .disconnect, .hang].contains(effect.kind) {
      throw .invalid("effect.kind", "mails know smtp, latency, reset, disconnect and hang")
    }
    var share: Double?
    if let value = json["share"] {
      guard let number = value.double, number > 0, number <= 1 else {
        throw .invalid("match.share", "expected a number above 0, at most 1")
      }
      share = number
    }
    return Fault.Match(channel: channel, target: token ?? recipient, share: share)
  }

  private static func effect(_ json: JSONValue) throws(ControlError) -> FaultEffect {
    let names = [
      "kind", "milliseconds", "retryAfter", "status", "scope", "smtpCode", "enhancedCode", "text", "stage", "accepts",
    ]
    try checkNames(json, names, at: "effect")
    guard let name = try text(json, "kind", at: "effect.kind") else { throw .invalid("effect.kind", "is missing") }
    var effect = FaultEffect(kind: try choice(name, at: "effect.kind"))
    effect.milliseconds = try integer(json, "milliseconds", in: 0...600_000, at: "effect.milliseconds")
    effect.retryAfter = try integer(json, "retryAfter", in: 0...86_400, at: "effect.retryAfter")
    effect.status = try integer(json, "status", in: 200...599, at: "effect.status")
    if let scope = try text(json, "scope", at: "effect.scope") { effect.scope = try choice(scope, at: "effect.scope") }
    effect.smtpCode = try integer(json, "smtpCode", in: 400...599, at: "effect.smtpCode")
    effect.enhancedCode = try text(json, "enhancedCode", at: "effect.enhancedCode")
    effect.text = try text(json, "text", at: "effect.text")
    if let stage = try text(json, "stage", at: "effect.stage") { effect.stage = try choice(stage, at: "effect.stage") }
    if let accepts = json["accepts"] {
      guard let value = accepts.boolean else { throw .invalid("effect.accepts", "expected true or false") }
      effect.accepts = value
    }
    try check(effect)
    return effect
  }

  private static func check(_ effect: FaultEffect) throws(ControlError) {
    if effect.kind == .latency, effect.milliseconds == nil {
      throw .invalid("effect.milliseconds", "is missing")
    }
    if effect.kind == .status, effect.status == nil { throw .invalid("effect.status", "is missing") }
    if effect.scope != nil, effect.kind != .quota { throw .invalid("effect.scope", "is for the kind quota") }
    if effect.kind == .reason, effect.text.flatMap(APNsReason.init(rawValue:)) == nil {
      throw .invalid("effect.text", "expected a reason of APNs such as BadDeviceToken")
    }
    if let code = effect.enhancedCode, code.wholeMatch(of: /[45]\.\d{1,3}\.\d{1,3}/) == nil {
      throw .invalid("effect.enhancedCode", "expected a code such as 4.3.0")
    }
    if let text = effect.text, text.utf8.count > 400 || !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      throw .invalid("effect.text", "expected at most 400 visible ASCII characters")
    }
  }

  // MARK: Values

  private static func checkNames(_ json: JSONValue, _ known: [String], at path: String) throws(ControlError) {
    guard let members = json.members else { throw .invalid(path.isEmpty ? "body" : path, "expected an object") }
    for member in members where !known.contains(member.name) {
      let field = path.isEmpty ? member.name : "\(path).\(member.name)"
      throw .invalid(field, "unknown; known are \(known.joined(separator: ", "))")
    }
  }

  private static func text(_ json: JSONValue, _ name: String, at path: String) throws(ControlError) -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string, !text.isEmpty else { throw .invalid(path, "expected a text") }
    return text
  }

  private static func integer(_ json: JSONValue, _ name: String, in range: ClosedRange<Int>, at path: String)
    throws(ControlError) -> Int?
  {
    guard let value = json[name] else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw .invalid(path, "expected an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, at path: String)
    throws(ControlError) -> Choice where Choice.RawValue == String
  {
    guard let choice = Choice(rawValue: name) else {
      throw .invalid(path, "expected one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }
}
