import Foundation
import NotificationModel
import NotificationStore
import Rules
import WallClock

/// What rules may know of people, as of now.
struct RulePeople {
  private let people: [UserID: RuleStore.Person]
  private let zone: Zone

  /// - Parameter zone: Of who has none, or one that this machine does not know.
  init(_ people: [UserID: RuleStore.Person], zone: Zone) {
    self.people = people
    self.zone = zone
  }

  /// - Parameter user: Nil for a rule about nobody in particular.
  func settings(of user: UUID?) -> RuleSettings {
    let person = user.flatMap { people[UserID($0)] }
    return RuleSettings(zone: person?.zone.flatMap { Zone($0) } ?? zone, threshold: person?.lowBalanceThreshold)
  }

  func name(of user: UUID) -> String? {
    people[UserID(user)]?.displayName.flatMap { $0.isEmpty ? nil : $0 }
  }
}
