import Foundation
import NotificationModel
import NotificationStore
import Rules
import WallClock

/// What rules may know of people, as of now.
struct RulePeople {
  private let people: [UserID: RuleStore.Person]
  private let zone: Zone
  private let settings: [DeclaredSetting]
  private let texts: UserTexts?

  /// - Parameters:
  ///   - zone: Of who has none, or one that this machine does not know.
  ///   - settings: The catalogue's.
  ///   - texts: What they are called, where rules want to know.
  init(_ people: [UserID: RuleStore.Person], zone: Zone, settings: [DeclaredSetting], texts: UserTexts? = nil) {
    self.texts = texts
    self.people = people
    self.zone = zone
    self.settings = settings
  }

  /// - Parameter user: Nil for a rule about nobody in particular.
  func settings(of user: UUID?) -> RuleSettings {
    let person = user.flatMap { people[UserID($0)] }
    let own = person?.zone.flatMap { Zone($0) }
    var settings = RuleSettings(zone: own ?? zone, stored: person?.numbers ?? [:], declared: settings)
    if let texts, let user { settings.userID = texts[UserID(user)] }
    return settings
  }

  func name(of user: UUID) -> String? {
    people[UserID(user)]?.displayName.flatMap { $0.isEmpty ? nil : $0 }
  }
}
