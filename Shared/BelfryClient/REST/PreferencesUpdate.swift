public import Foundation
import BelfryJSON

/// What is to change of the preferences; what is not named stays. Source: `UpdateNotificationPreferencesDto` of `openapi.yaml`.
public struct PreferencesUpdate: Sendable, Equatable {
  /// A value that is set, or cleared.
  public enum Setting<Value: Sendable & Equatable>: Sendable, Equatable {
    /// This value from now on.
    case set(Value)
    /// The default again.
    case cleared
  }

  /// The switches to change; nil stays as it is.
  public struct Switches: Sendable, Equatable {
    /// In the notification centre and live.
    public var inApp: Bool?
    /// To phones and browsers.
    public var push: Bool?
    /// To the mailbox.
    public var email: Bool?

    /// Changes nothing that is left out.
    public init(inApp: Bool? = nil, push: Bool? = nil, email: Bool? = nil) {
      self.inApp = inApp
      self.push = push
      self.email = email
    }
  }

  /// By the types' codes.
  public var types: [Int: Switches] = [:]
  /// By the categories' headings.
  public var categories: [String: Switches] = [:]
  /// The master switch; nil stays as it is.
  public var notificationsEnabled: Bool?
  /// At most a year ahead; cleared ends a pause.
  public var pausedUntil: Setting<Date>?
  /// Whether pushes make a sound; nil stays as it is.
  public var soundEnabled: Bool?
  /// Whether pushes set the app's badge; nil stays as it is.
  public var badgeEnabled: Bool?
  /// An IANA zone such as `Europe/Berlin`.
  public var timezone: Setting<String>?
  /// By the names of the catalogue's settings.
  public var settings: [String: Setting<Double>] = [:]

  /// Changes nothing yet.
  public init() {}

  var json: JSONValue {
    var members: [JSONMember] = []
    if !types.isEmpty {
      let items = types.sorted { $0.key < $1.key }
        .map { item(JSONMember("notificationType", $0.key), $0.value) }
      members.append(JSONMember("preferences", .array(items)))
    }
    if !categories.isEmpty {
      let items = categories.sorted { $0.key < $1.key }.map { item(JSONMember("category", $0.key), $0.value) }
      members.append(JSONMember("categories", .array(items)))
    }
    if let notificationsEnabled { members.append(JSONMember("notificationsEnabled", notificationsEnabled)) }
    if let pausedUntil { members.append(JSONMember("pausedUntil", value(pausedUntil) { .string(WireDate.text($0)) })) }
    if let soundEnabled { members.append(JSONMember("soundEnabled", soundEnabled)) }
    if let badgeEnabled { members.append(JSONMember("badgeEnabled", badgeEnabled)) }
    if let timezone { members.append(JSONMember("timezone", value(timezone, JSONValue.string))) }
    if !settings.isEmpty {
      let values = settings.sorted { $0.key < $1.key }
        .map { JSONMember($0.key, value($0.value) { $0.isFinite ? .number(String($0)) : .null }) }
      members.append(JSONMember("settings", .object(values)))
    }
    return .object(members)
  }

  private func item(_ name: JSONMember, _ switches: Switches) -> JSONValue {
    var members = [name]
    if let inApp = switches.inApp { members.append(JSONMember("inAppEnabled", inApp)) }
    if let push = switches.push { members.append(JSONMember("pushEnabled", push)) }
    if let email = switches.email { members.append(JSONMember("emailEnabled", email)) }
    return .object(members)
  }

  private func value<Value>(_ setting: Setting<Value>, _ json: (Value) -> JSONValue) -> JSONValue {
    switch setting {
    case .set(let value): json(value)
    case .cleared: .null
    }
  }
}

/// What is to change of the quiet hours. Source: `UpdateQuietHoursDto` of `openapi.yaml`.
public struct QuietHoursUpdate: Sendable, Equatable {
  /// Whether there are quiet hours.
  public var isEnabled: Bool
  /// `HH:mm` or `HH:mm:ss`; nil stays as it is.
  public var start: String?
  /// As ``start``; it may be on the next day.
  public var end: String?
  /// An IANA zone; nil stays as it is.
  public var timezone: String?

  /// What is left out stays as it is.
  public init(isEnabled: Bool, start: String? = nil, end: String? = nil, timezone: String? = nil) {
    self.isEnabled = isEnabled
    self.start = start
    self.end = end
    self.timezone = timezone
  }

  var json: JSONValue {
    var members = [JSONMember("enabled", isEnabled)]
    if let start { members.append(JSONMember("startTime", start)) }
    if let end { members.append(JSONMember("endTime", end)) }
    if let timezone { members.append(JSONMember("timezone", timezone)) }
    return .object(members)
  }
}
