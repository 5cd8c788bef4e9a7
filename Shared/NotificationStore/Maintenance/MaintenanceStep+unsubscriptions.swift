import NotificationModel
import Postgres

extension MaintenanceStep {
  /// No link that can take one back is older. A day longer, for mails that were on their way.
  static let unsubscriptions = Self { session, _, _ in
    let age = UnsubscribeLink.lifetime + 86_400
    _ = try await session.query(
      "DELETE FROM unsubscriptions WHERE unsubscribed_at < now() - make_interval(secs => \(age))"
    )
  }
}
