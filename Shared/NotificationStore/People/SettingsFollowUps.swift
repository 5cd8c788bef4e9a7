import Foundation
import NotificationModel
import Postgres

/// What else a change of quiet hours, zone, pause or master switch means, in the transaction that makes it.
enum SettingsFollowUps {
  typealias Statement = @Sendable (_ user: UserID, _ now: Date) -> SQLQuery

  static let all: [Statement] = [HeldRetiming.statement, RuleStore.resettle]
}
