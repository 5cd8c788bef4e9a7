import BelfryClient
import Foundation

/// What a user has chosen on the server: by type, by category, and what the catalogue says below that.
struct ServedPreferences: Sendable {
  enum Channel: String, Sendable, CaseIterable {
    case inApp, push, email

    /// The member that switches it.
    var member: String { rawValue + "Enabled" }
    var path: WritableKeyPath<Preferences.Switches, Bool> {
      switch self {
      case .inApp: \.inApp
      case .push: \.push
      case .email: \.email
      }
    }
  }

  let catalogue: TestCatalogue
  var types: [Int: [Channel: Bool]] = [:]
  var categories: [String: [Channel: Bool]] = [:]
  var notificationsEnabled = true
  var pausedUntil: Date?
  var soundEnabled = true
  var badgeEnabled = true
  var timezone: String?
  var quietHoursEnabled = false
  /// `HH:mm:ss`, as is the end.
  var quietHoursStart: String?
  var quietHoursEnd: String?
  var settings: [String: Double] = [:]
  var version = 1

  init(_ catalogue: TestCatalogue) {
    self.catalogue = catalogue
  }

  var etag: String { "\"v\(version)\"" }

  /// What holds: the type's choice, else its category's, else the catalogue's.
  func switches(of type: TestCatalogue.NotificationType) -> Preferences.Switches {
    var switches = type.channels
    for channel in Channel.allCases {
      if let choice = types[type.code]?[channel] ?? categories[type.category]?[channel] {
        switches[keyPath: channel.path] = choice
      }
    }
    return switches
  }

  /// Also takes back what was chosen for its types, but for those that are chosen at the same time.
  mutating func choose(_ channel: Channel, _ value: Bool, category: String, except chosen: Set<Int>) {
    categories[category, default: [:]][channel] = value
    for type in catalogue.types where type.category == category && !chosen.contains(type.code) {
      types[type.code]?[channel] = nil
    }
  }

  /// What a setting is: the user's, else the catalogue's.
  func value(of setting: TestCatalogue.Setting) -> Double {
    min(max(settings[setting.name] ?? setting.defaultValue, setting.range.lowerBound), setting.range.upperBound)
  }
}
