public import BelfryJSON
public import Foundation
import WallClock

/// The stored form: one flat object without spaces, times in milliseconds and dates in days since 1970.
extension RuleState {
  private static let version = 1
  private static let names: Set = [
    "v", "latest", "told", "day", "timer", "until", "days", "due", "instant", "since", "kept",
  ]

  /// - Throws: ``RuleStateError`` for what this version cannot read. Unknown members are kept.
  public init(json text: String) throws(RuleStateError) {
    let json: JSONValue
    do { json = try JSONParser.parse(Array(text.utf8)) } catch { throw RuleStateError("\(error)") }
    try self.init(json)
  }

  /// - Throws: ``RuleStateError``, as ``init(json:)``.
  public init(_ json: JSONValue) throws(RuleStateError) {
    guard let members = json.members else { throw RuleStateError("expected an object") }
    guard json["v"]?.integer == Self.version else { throw RuleStateError("expected version \(Self.version)") }
    self.init()
    latest = try Self.read(json, "latest", Self.latest)
    notified = try Self.read(json, "told", Self.notified) ?? []
    day = try Self.read(json, "day", Self.date)
    timer = try Self.read(json, "timer") { value in
      Self.notified(value)?.first.map { RuleTimer(what: $0.what, at: $0.at) }
    }
    disposableFrom = try Self.read(json, "until", Self.time)
    days = try Self.read(json, "days", Self.days)
    due = try Self.read(json, "due", Self.date)
    instant = try Self.read(json, "instant", Self.time)
    since = try Self.read(json, "since", Self.time)
    kept = try Self.read(json, "kept") { $0.members == nil ? nil : JSONWriter.text($0) }
    for member in members where !Self.names.contains(member.name) {
      unknown[member.name] = JSONWriter.text(member.value)
    }
  }

  /// When a stored state was to be looked at: of whatever version, as far as it says so. What cannot be read says nothing.
  public static func dueTime(in text: String) -> Date? {
    guard let json = try? JSONParser.parse(Array(text.utf8)) else { return nil }
    return json["timer"].flatMap(notified)?.first?.at
  }

  public var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("v", Self.version)
      if let latest {
        writer.key("latest")
        writer.value(
          .array([
            Self.number(latest.at), Self.number(latest.intake), .string(latest.event), Self.number(latest.value),
            Self.number(latest.bound),
          ])
        )
      }
      if !notified.isEmpty { Self.write(notified, "told", &writer) }
      if let day { writer.field("day", day.dayNumber) }
      if let timer { Self.write([Notified(what: timer.what, at: timer.at)], "timer", &writer) }
      if let disposableFrom { writer.field("until", disposableFrom.milliseconds) }
      if let days {
        writer.key("days")
        writer.value(.array([.number(String(days.newest.dayNumber)), .string(String(days.bits, radix: 16))]))
      }
      if let due { writer.field("due", due.dayNumber) }
      if let instant { writer.field("instant", instant.milliseconds) }
      if let since { writer.field("since", since.milliseconds) }
      if let kept {
        writer.key("kept")
        writer.raw(kept)
      }
      for (name, value) in unknown.sorted(by: { $0.key < $1.key }) {
        writer.dynamicKey(name)
        writer.raw(value)
      }
    }
    return writer.text
  }

  // MARK: Parts

  private static func read<Value>(
    _ json: JSONValue,
    _ name: String,
    _ convert: (JSONValue) -> Value?
  ) throws(RuleStateError) -> Value? {
    guard let value = json[name] else { return nil }
    guard let converted = convert(value) else { throw RuleStateError("'\(name)' is not as it was written") }
    return converted
  }

  private static func write(_ notified: [Notified], _ name: StaticString, _ writer: inout JSONWriter) {
    writer.key(name)
    writer.value(.array(notified.map { .array([.string($0.what), number($0.at)]) }))
  }

  private static func number(_ time: Date) -> JSONValue { .number(String(time.milliseconds)) }

  private static func number(_ value: ExactNumber?) -> JSONValue { value.map { .number($0.description) } ?? .null }

  private static func time(_ json: JSONValue) -> Date? {
    // Within the years that dates have here; a larger number would not come back as it is.
    json.integer.flatMap { abs($0) < 1 << 50 ? Date(milliseconds: $0) : nil }
  }

  private static func date(_ json: JSONValue) -> LocalDate? { json.integer.map(LocalDate.init(dayNumber:)) }

  private static func notified(_ json: JSONValue) -> [Notified]? {
    guard let elements = json.array else { return nil }
    let notified = elements.compactMap { element -> Notified? in
      guard let parts = element.array, parts.count == 2, let what = parts[0].string, let at = time(parts[1]) else {
        return nil
      }
      return Notified(what: what, at: at)
    }
    return notified.count == elements.count ? notified : nil
  }

  private static func latest(_ json: JSONValue) -> Latest? {
    guard let parts = json.array, parts.count >= 5, let at = time(parts[0]), let intake = time(parts[1]),
      let event = parts[2].string
    else { return nil }
    let numbers = parts[3...4].map { part -> ExactNumber? in
      if case .number(let text) = part { ExactNumber(text) } else { nil }
    }
    return Latest(at: at, intake: intake, event: event, value: numbers[0], bound: numbers[1])
  }

  private static func days(_ json: JSONValue) -> DayBitmap? {
    guard let parts = json.array, parts.count == 2, let newest = date(parts[0]),
      let bits = parts[1].string.flatMap({ UInt128($0, radix: 16) })
    else { return nil }
    return DayBitmap(newest: newest, bits: bits)
  }
}
