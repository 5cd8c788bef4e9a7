public import Foundation
import BelfryJSON

/// What the user has chosen, and what is in force. Source: `NotificationPreferencesDto` of `openapi.yaml`.
public struct Preferences: Sendable, Equatable {
  /// Whether each channel is on.
  public struct Switches: Sendable, Equatable {
    /// In the notification centre and live.
    public var inApp: Bool
    /// To phones and browsers.
    public var push: Bool
    /// To the mailbox.
    public var email: Bool

    /// One switch for each channel.
    public init(inApp: Bool, push: Bool, email: Bool) {
      self.inApp = inApp
      self.push = push
      self.email = email
    }
  }

  /// What holds for a type.
  public struct TypePreference: Sendable, Equatable {
    /// The type's code.
    public let type: Int
    /// As the catalogue names it.
    public let typeName: String
    /// The heading that it is under.
    public let category: String
    /// What holds for it: the nearest choice.
    public var switches: Switches
  }

  /// What holds for a category.
  public struct CategoryPreference: Sendable, Equatable {
    /// Its heading.
    public let category: String
    /// On where any of its types is.
    public var switches: Switches
    /// The channels on which its types differ: `inApp`, `push`, `email`.
    public let mixed: [String]
  }

  /// Every type of the catalogue.
  public var types: [TypePreference]
  /// Every category of the catalogue.
  public var categories: [CategoryPreference]
  /// The master switch.
  public var notificationsEnabled: Bool
  /// No pushes until then; nil: no pause.
  public var pausedUntil: Date?
  /// Whether pushes make a sound.
  public var soundEnabled: Bool
  /// Whether pushes set the app's badge.
  public var badgeEnabled: Bool
  /// What the user chose; nil: the deployment's.
  public var timezone: String?
  /// The zone that counts: the user's, else the deployment's.
  public var effectiveTimezone: String
  /// Whether no push comes within the quiet hours.
  public var quietHoursEnabled: Bool
  /// `HH:mm:ss`, as the clocks in the user's zone show it.
  public var quietHoursStart: String?
  /// As ``quietHoursStart``; it may be on the next day.
  public var quietHoursEnd: String?
  /// What holds of each setting that the catalogue declares.
  public var settings: [String: Double]
  /// Of this version, for `If-Match`; nil where the answer had none.
  public internal(set) var etag: String?

  init?(_ json: JSONValue) {
    guard let types = json["preferences"]?.array, let categories = json["categories"]?.array,
      let notificationsEnabled = json["notificationsEnabled"]?.boolean
    else { return nil }
    self.types = types.compactMap(TypePreference.init)
    self.categories = categories.compactMap(CategoryPreference.init)
    self.notificationsEnabled = notificationsEnabled
    pausedUntil = json.date("pausedUntil")
    soundEnabled = json["soundEnabled"]?.boolean ?? true
    badgeEnabled = json["badgeEnabled"]?.boolean ?? true
    timezone = json["timezone"]?.string
    effectiveTimezone = json["effectiveTimezone"]?.string ?? "UTC"
    quietHoursEnabled = json["quietHoursEnabled"]?.boolean ?? false
    quietHoursStart = json["quietHoursStart"]?.string
    quietHoursEnd = json["quietHoursEnd"]?.string
    let numbers = (json["settings"]?.members ?? []).compactMap { member in member.value.double.map { (member.name, $0) }
    }
    settings = Dictionary(numbers) { _, last in last }
  }
}

extension Preferences.Switches {
  fileprivate init(_ json: JSONValue) {
    self.init(
      inApp: json["inAppEnabled"]?.boolean ?? false,
      push: json["pushEnabled"]?.boolean ?? false,
      email: json["emailEnabled"]?.boolean ?? false
    )
  }
}

extension Preferences.TypePreference {
  fileprivate init?(_ json: JSONValue) {
    guard let type = json["notificationType"]?.integer, let typeName = json["typeName"]?.string else { return nil }
    self.init(
      type: type,
      typeName: typeName,
      category: json["category"]?.string ?? "",
      switches: Preferences.Switches(json)
    )
  }
}

extension Preferences.CategoryPreference {
  fileprivate init?(_ json: JSONValue) {
    guard let category = json["category"]?.string else { return nil }
    self.init(
      category: category,
      switches: Preferences.Switches(json),
      mixed: (json["mixed"]?.array ?? []).compactMap(\.string)
    )
  }
}

/// An entity that must not disturb. Source: `MutedEntityDto` of `openapi.yaml`.
public struct MutedEntity: Sendable, Hashable {
  /// What is muted.
  public let entity: RelatedEntity
  /// Nil: for good.
  public let until: Date?

  init?(_ json: JSONValue) {
    guard let type = json["entityType"]?.string, let id = json["entityId"]?.string else { return nil }
    entity = RelatedEntity(type: type, id: id)
    until = json.date("until")
  }
}
