import BelfryClient
import BelfryJSON
import Foundation

extension ServedPreferences {
  typealias Refusal = (field: String, message: String)

  /// Source: `NotificationPreferencesDto` of `openapi.yaml`.
  func json(now: Date) -> JSONValue {
    let types = catalogue.types.map { type in
      JSONValue.object(
        [
          JSONMember("notificationType", type.code), JSONMember("typeName", type.name),
          JSONMember("category", type.category),
        ] + members(switches(of: type))
      )
    }
    let settings = catalogue.settings.map { JSONMember($0.name, .number("\(value(of: $0))")) }
    return .object([
      JSONMember("preferences", .array(types)), JSONMember("categories", .array(catalogue.categories.map(category))),
      JSONMember("notificationsEnabled", notificationsEnabled),
      JSONMember("pausedUntil", pausedUntil.flatMap { $0 > now ? $0.wireText : nil }),
      JSONMember("soundEnabled", soundEnabled), JSONMember("badgeEnabled", badgeEnabled),
      JSONMember("timezone", timezone), JSONMember("effectiveTimezone", timezone ?? "UTC"),
      JSONMember("quietHoursEnabled", quietHoursEnabled), JSONMember("quietHoursStart", quietHoursStart),
      JSONMember("quietHoursEnd", quietHoursEnd), JSONMember("settings", .object(settings)),
    ])
  }

  private func members(_ switches: Preferences.Switches) -> [JSONMember] {
    Channel.allCases.map { JSONMember($0.member, switches[keyPath: $0.path]) }
  }

  /// On where any of its types is.
  private func category(_ name: String) -> JSONValue {
    let all = catalogue.types.filter { $0.category == name }.map(switches)
    let any = Preferences.Switches(
      inApp: all.contains { $0.inApp },
      push: all.contains { $0.push },
      email: all.contains { $0.email }
    )
    let mixed = Channel.allCases.filter { channel in Set(all.map { $0[keyPath: channel.path] }).count > 1 }
    var members = [JSONMember("category", name)] + self.members(any)
    if !mixed.isEmpty { members.append(JSONMember("mixed", .array(mixed.map { .string($0.rawValue) }))) }
    return .object(members)
  }

  /// Changes what a body names; gives what is wrong with it.
  mutating func update(_ body: JSONValue, now: Date) -> [Refusal] {
    var refusals: [Refusal] = []
    var choices: [(type: Int, switches: [Channel: Bool])] = []
    for (index, item) in (body["preferences"]?.array ?? []).enumerated() {
      let reference = item["notificationType"]
      let type = catalogue.types.first { $0.code == reference?.integer || $0.name == reference?.string }
      if let type {
        choices.append((type.code, switches(in: item)))
      } else {
        refusals.append(("preferences[\(index)].notificationType", "is no type of the catalogue"))
      }
    }
    let chosen = Set(choices.map(\.type))
    for (index, item) in (body["categories"]?.array ?? []).enumerated() {
      guard let name = item["category"]?.string, catalogue.categories.contains(name) else {
        refusals.append(("categories[\(index)].category", "is no category of the catalogue"))
        continue
      }
      for (channel, value) in switches(in: item) { choose(channel, value, category: name, except: chosen) }
    }
    for (type, switches) in choices { types[type, default: [:]].merge(switches) { _, new in new } }
    notificationsEnabled = body["notificationsEnabled"]?.boolean ?? notificationsEnabled
    soundEnabled = body["soundEnabled"]?.boolean ?? soundEnabled
    badgeEnabled = body["badgeEnabled"]?.boolean ?? badgeEnabled
    for member in body.members ?? [] {
      switch (member.name, member.value) {
      case ("pausedUntil", .null): pausedUntil = nil
      case ("pausedUntil", let value):
        let date = value.string.flatMap { Date(wire: $0) }
        if let date, date <= now.addingTimeInterval(366 * 86_400) {
          pausedUntil = date
        } else {
          refusals.append(("pausedUntil", "expected a time at most 366 days ahead"))
        }
      case ("timezone", .null): timezone = nil
      case ("timezone", let value):
        if let refusal = setZone(value) { refusals.append(refusal) }
      case ("settings", let value): refusals += setSettings(value)
      default: break
      }
    }
    return refusals
  }

  /// Source: `UpdateQuietHoursDto` of `openapi.yaml`.
  mutating func updateQuietHours(_ body: JSONValue) -> [Refusal] {
    guard let isEnabled = body["enabled"]?.boolean else { return [("enabled", "is missing")] }
    quietHoursEnabled = isEnabled
    for (name, path) in [("startTime", \Self.quietHoursStart), ("endTime", \Self.quietHoursEnd)] {
      guard let value = body[name] else { continue }
      guard let time = value.string.flatMap(Self.time) else { return [(name, "expected HH:mm or HH:mm:ss")] }
      self[keyPath: path] = time
    }
    if let zone = body["timezone"], let refusal = setZone(zone) { return [refusal] }
    guard isEnabled else { return [] }
    guard let quietHoursStart, let quietHoursEnd else { return [("startTime", "both times are needed")] }
    return quietHoursStart == quietHoursEnd ? [("endTime", "must not be the start")] : []
  }

  private func switches(in item: JSONValue) -> [Channel: Bool] {
    var switches: [Channel: Bool] = [:]
    for channel in Channel.allCases { switches[channel] = item[channel.member]?.boolean }
    return switches
  }

  private mutating func setZone(_ value: JSONValue) -> Refusal? {
    guard let name = value.string, TimeZone(identifier: name) != nil else { return ("timezone", "is no time zone") }
    timezone = name
    return nil
  }

  private mutating func setSettings(_ value: JSONValue) -> [Refusal] {
    (value.members ?? []).compactMap { member in
      let place = "settings.\(member.name)"
      guard let setting = catalogue.settings.first(where: { $0.name == member.name }) else {
        return (place, "is no setting of the catalogue")
      }
      if case .null = member.value {
        settings[setting.name] = nil
        return nil
      }
      guard let number = member.value.double, setting.range.contains(number) else { return (place, "is out of bounds") }
      settings[setting.name] = number
      return nil
    }
  }

  /// `HH:mm:ss` of that or of `HH:mm`.
  private static func time(_ text: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let limits = [24, 60, 60]
    let isTime = zip(parts, limits).allSatisfy { part, limit in
      part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(part) ?? limit < limit
    }
    guard isTime, (2...3).contains(parts.count) else { return nil }
    return parts.count == 2 ? text + ":00" : text
  }
}
