package import BelfryClient
package import BelfryJSON
package import Foundation

/// How the server writes what it knows, in the shapes of `openapi.yaml`.
extension BelfryNotification {
  /// Source: `NotificationDto`.
  ///
  /// - Parameter now: What `timeAgo` counts from; nil over the hub, where it is always `Just now`.
  package func json(now: Date?) -> JSONValue {
    let object = dataObject.flatMap { try? JSONParser.parse(Array($0.utf8)) }
    return .object([
      JSONMember("id", id.wireText), JSONMember("seq", seq.map { Int($0) }), JSONMember("isRead", isRead),
      JSONMember("readAt", readAt.map(\.wireText)), JSONMember("type", type), JSONMember("typeName", typeName),
      JSONMember("category", category), JSONMember("title", title), JSONMember("body", body),
      JSONMember("data", data), JSONMember("dataObject", object ?? .null),
      JSONMember("createdAt", createdAt.wireText), JSONMember("relatedEntityType", relatedEntityType),
      JSONMember("relatedEntityId", relatedEntityId), JSONMember("actions", .array(actions.map(\.json))),
      JSONMember("timeAgo", now.map { createdAt.age(at: $0) } ?? "Just now"),
      JSONMember("seenAt", seenAt.map(\.wireText)), JSONMember("openedAt", openedAt.map(\.wireText)),
      JSONMember("archivedAt", archivedAt.map(\.wireText)), JSONMember("snoozedUntil", snoozedUntil.map(\.wireText)),
      JSONMember("priority", priority),
    ])
  }
}

extension BelfryAction {
  /// Source: `NotificationActionDto`.
  var json: JSONValue { .object([JSONMember("id", id), JSONMember("title", title)]) }
}

extension TestCatalogue {
  /// Source: `CatalogueDto`.
  var json: JSONValue {
    let types = types.map { type in
      JSONValue.object([
        JSONMember("code", type.code), JSONMember("name", type.name), JSONMember("category", type.category),
        JSONMember(
          "channels",
          .object([
            JSONMember("inApp", type.channels.inApp), JSONMember("push", type.channels.push),
            JSONMember("email", type.channels.email),
          ])
        ),
        JSONMember("actions", .array(type.actions.map(\.json))),
      ])
    }
    let settings = settings.map { setting in
      JSONValue.object([
        JSONMember("name", setting.name), JSONMember("type", "number"),
        JSONMember("minimum", .number("\(setting.range.lowerBound)")),
        JSONMember("maximum", .number("\(setting.range.upperBound)")),
        JSONMember("default", .number("\(setting.defaultValue)")), JSONMember("title", setting.title),
      ])
    }
    return .object([
      JSONMember("types", .array(types)),
      JSONMember("categories", .array(categories.map { .object([JSONMember("name", $0)]) })),
      JSONMember("settings", .array(settings)),
    ])
  }
}

extension UUID {
  /// As the server writes it: in lower case.
  var wireText: String { uuidString.lowercased() }

  /// Whether its notification is older.
  func precedes(_ other: UUID) -> Bool {
    withUnsafeBytes(of: uuid) { own in
      withUnsafeBytes(of: other.uuid) { own.lexicographicallyPrecedes($0) }
    }
  }

  /// A UUID of version 7 whose order is that of the time, and of the number at the same time.
  init(_ date: Date, number: Int) {
    let time = UInt64(min(max(date.timeIntervalSince1970, 0), 1e11) * 1_000)
    let number = UInt64(max(number, 0))
    func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
    self.init(
      uuid: (
        byte(time, 40), byte(time, 32), byte(time, 24), byte(time, 16), byte(time, 8), byte(time, 0), 0x70, 0, 0x80, 0,
        byte(number, 40), byte(number, 32), byte(number, 24), byte(number, 16), byte(number, 8), byte(number, 0)
      )
    )
  }
}

extension Date {
  /// As the server writes it: RFC 3339 with milliseconds, in UTC.
  var wireText: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

  /// Nil for anything but RFC 3339.
  init?(wire text: String) {
    let date =
      (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    guard let date else { return nil }
    self = date
  }

  /// To the millisecond, as the server keeps times.
  var rounded: Date { Date(timeIntervalSince1970: (timeIntervalSince1970 * 1_000).rounded() / 1_000) }

  /// Such as `5 minutes ago`.
  func age(at now: Date) -> String {
    let minutes = Int(max(0, now.timeIntervalSince(self)) / 60)
    func text(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
    switch minutes {
    case 0: return "Just now"
    case ..<60: return text(minutes, "minute")
    case ..<1_440: return text(minutes / 60, "hour")
    default: return text(minutes / 1_440, "day")
    }
  }
}
