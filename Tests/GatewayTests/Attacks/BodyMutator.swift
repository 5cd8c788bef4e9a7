import BelfryJSON
import TestSupport

/// Bodies that nobody means well with, made of valid ones. The same seed gives the same bodies.
struct BodyMutator {
  private var random: SplitMix64
  private let valid: [JSONValue]

  init(_ valid: [JSONValue], seed: UInt64) {
    self.valid = valid
    random = SplitMix64(seed: seed)
  }

  mutating func next() -> [UInt8] {
    switch random.below(16) {
    case 0: return Array(Self.texts[random.below(Self.texts.count)].utf8)
    case 1: return random.mutated(body())
    case 2:
      let body = body()
      return Array(body.prefix(random.below(body.count + 1)))
    case 3: return encoded(body())
    case 4: return random.bytes(random.below(200))
    case 5: return body()
    default:
      var value = valid[random.below(valid.count)]
      for _ in 0...random.below(3) { value = mutated(value) }
      return Array(JSONWriter.text(value).utf8)
    }
  }

  private mutating func body() -> [UInt8] { Array(JSONWriter.text(valid[random.below(valid.count)]).utf8) }

  /// In an encoding that JSON does not have, or broken UTF-8.
  private mutating func encoded(_ body: [UInt8]) -> [UInt8] {
    switch random.below(4) {
    case 0: return [0xFF, 0xFE] + body.flatMap { [$0, 0] }
    case 1: return [0xFE, 0xFF] + body.flatMap { [0, $0] }
    case 2: return body.map { $0 == UInt8(ascii: "a") ? 0xE4 : $0 }
    default:
      // Overlong, a surrogate, beyond Unicode, cut short, NUL.
      let pieces: [[UInt8]] = [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0]]
      var body = body
      body.insert(contentsOf: pieces[random.below(pieces.count)], at: random.below(body.count + 1))
      return body
    }
  }

  // MARK: Trees

  /// The value with one change somewhere in it.
  private mutating func mutated(_ value: JSONValue) -> JSONValue {
    var place = random.below(value.size)
    return changed(value, at: &place)
  }

  private mutating func changed(_ value: JSONValue, at place: inout Int) -> JSONValue {
    if place == 0 {
      place -= 1
      return replacement(of: value)
    }
    place -= 1
    switch value {
    case .array(let elements):
      var result: [JSONValue] = []
      for element in elements { result.append(place < 0 ? element : changed(element, at: &place)) }
      return .array(result)
    case .object(let members):
      var result: [JSONMember] = []
      for member in members {
        result.append(place < 0 ? member : JSONMember(member.name, changed(member.value, at: &place)))
      }
      return .object(result)
    default: return value
    }
  }

  private mutating func replacement(of value: JSONValue) -> JSONValue {
    switch (value, random.below(4)) {
    case (.object(let members), 0...2): return object(members)
    case (.array(let elements), 0...2): return array(elements)
    case (.string(let text), 0...1): return .string(string(text))
    case (.number, 0...1): return number()
    case (_, 3) where random.below(3) == 0: return nested(value)
    default: return anything()
    }
  }

  private mutating func object(_ members: [JSONMember]) -> JSONValue {
    var members = members
    guard !members.isEmpty else { return .object([JSONMember("x", anything())]) }
    let index = random.below(members.count)
    let member = members[index]
    switch random.below(6) {
    case 0: members.remove(at: index)
    // The same name again, before and after.
    case 1: members.insert(JSONMember(member.name, anything()), at: 0)
    case 2: members.append(JSONMember(member.name, anything()))
    case 3: members[index] = JSONMember(string(member.name), member.value)
    case 4: members.append(JSONMember(Self.strings[random.below(Self.strings.count)], anything()))
    default:
      for number in 0..<random.below(300) { members.append(JSONMember("member\(number)", number)) }
    }
    return .object(members)
  }

  private mutating func array(_ elements: [JSONValue]) -> JSONValue {
    switch random.below(5) {
    case 0: return .array([])
    case 1: return .array(elements + [anything()])
    case 2: return .array(Array(elements.dropFirst()))
    case 3: return .array([.array(elements)])
    default:
      guard let first = elements.first else { return .array([anything()]) }
      // Few of what is large: the limit of a body is tried elsewhere.
      let most = random.below(10) == 0 ? 1_200 : 40
      let count = min(random.below(most), 200_000 / (1 + JSONWriter.text(first).utf8.count))
      return .array(elements + Array(repeating: first, count: count))
    }
  }

  private mutating func string(_ text: String) -> String {
    switch random.below(6) {
    case 0: return text + Self.strings[random.below(Self.strings.count)]
    case 1: return String(text.dropLast())
    case 2: return text.uppercased()
    case 3: return String(repeating: String(text.prefix(100)), count: random.below(400))
    default: return Self.strings[random.below(Self.strings.count)]
    }
  }

  private mutating func number() -> JSONValue { .number(Self.numbers[random.below(Self.numbers.count)]) }

  private mutating func anything() -> JSONValue {
    switch random.below(8) {
    case 0: return .null
    case 1: return .boolean(random.below(2) == 0)
    case 2, 3: return number()
    case 4: return .array([])
    case 5: return .object([])
    default: return .string(Self.strings[random.below(Self.strings.count)])
    }
  }

  /// Up to the depth that is read, and beyond.
  private mutating func nested(_ value: JSONValue) -> JSONValue {
    var value = value
    let isArray = random.below(2) == 0
    for _ in 0..<random.below(80) { value = isArray ? .array([value]) : .object([JSONMember("a", value)]) }
    return value
  }

  // MARK: What hurts

  /// Written as they are: some are no numbers, but texts with half a surrogate pair, which no `String` can hold.
  private static let numbers = [
    "0", "-0", "-1", "1.5", "1.0", "1e0", "1E+2", "2147483647", "2147483648", "-2147483649", "4294967296",
    "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551616", "1e18", "1e19", "1e-400", "1e400", "-1e400", "1e999999999",
    "0.1e1000000000", "1e-999999999", "0." + String(repeating: "0", count: 400) + "1",
    "1" + String(repeating: "0", count: 5_000), "1." + String(repeating: "3", count: 5_000), "32768", "65536",
    #""\ud800""#, #""\udc00\ud800""#, #""a\ud83d""#, #""\u0000""#, "1e", "01", "NaN", "Infinity", "0x10", "+1",
  ]

  private static let strings = [
    "", " ", "\u{0}", "a\u{0}b", "\u{1}", "\u{7F}", "\u{85}", "\n", "\u{202E}x", "\u{2028}", "\u{FEFF}", "\u{FFFD}",
    "\u{FFFF}", "\u{10FFFF}", "e\u{301}", "👨‍👩‍👧‍👦", String(repeating: "👨‍👩‍👧‍👦", count: 300),
    "e" + String(repeating: "\u{301}", count: 5_000), String(repeating: "x", count: 5_000),
    String(repeating: "ß", count: 70_000), "null", "true", "0", "-1", "99999999999999999999", "1e400", "NaN",
    "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF", "4f9c1c1e-0001-4000-8000-00000000000", "{4f9c1c1e}",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:60.999999999Z", "1970-01-01T00:00:00Z", "2026-02-30T00:00:00Z",
    "2026-11-21T06:00:00.\(String(repeating: "9", count: 400))Z", "2026-12-01T00:00:00+23:59", "2026-12-01",
    "0000-00-00", "0001-01-01", "9999-12-31", "2026-02-29", "24:00", "23:59:60", "00:00", "7:00", "P0D",
    "-P99999999999999999999D", "P1Y", "PT6H", "-PT0S", "P", "FREQ=DAILY", "FREQ=DAILY;INTERVAL=9223372036854775807",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYDAY=-5MO;COUNT=1000000000",
    "FREQ=DAILY;UNTIL=99991231T235959Z", "FREQ=WEEKLY;BYDAY=;COUNT=0", "FREQ=SECONDLY", "RRULE:FREQ=DAILY",
    "Europe/Berlin", "../../etc/passwd", "/etc/localtime", "Europe/../Europe/Berlin", "posixrules", "utc", "{{",
    "{{a}}", "{{a|money}}", "{{}}", "{{a|b|c}}", "}}{{", "%00", "%s%n", "'; DROP TABLE users; --", "$1", "\\", "\"",
    "https://", "https://a b/", "https://[::1", "https://user:pass@example.org/#x", "http://127.0.0.1/", "a@b", "@",
    "ann@example.org", "a\r\nBcc: b@example.org", "de-AT", "xx-XXXXXXXX-YYYYYYYY", "family:demo", "AllowanceDeposit",
    "SYSTEMANNOUNCEMENT", "Balance & Transactions", "BalanceUpdated", "inApp", "push", "send", "belfry.ingest", "*",
  ]

  /// Whole bodies.
  private static let texts = [
    "", " ", "null", "true", "0", "\"\"", "[]", "{}", "[{}]", "{", "}", "[", "\"", "{}{}", "{},", "\u{FEFF}{}",
    "{\"\":0}",
    "{'a':1}", "{a:1}", "{\"a\":1,}", "[1,]", "//", "<a/>", "a=b&c=d", "{\"__proto__\":{\"to\":1}}",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
    String(repeating: "[", count: 65) + String(repeating: "]", count: 65), String(repeating: "[", count: 100_000),
    String(repeating: "{\"a\":", count: 40_000), String(repeating: " ", count: 100_000),
    "\"" + String(repeating: "\\u0000", count: 1_000) + "\"",
    "[" + String(repeating: "0,", count: 50_000) + "0]",
    "{" + String(repeating: "\"a\":1,", count: 20_000) + "\"a\":1}",
  ]
}

extension JSONValue {
  /// How many values there are in it, itself included.
  fileprivate var size: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.size }
    case .object(let members): members.reduce(1) { $0 + $1.value.size }
    default: 1
    }
  }
}
