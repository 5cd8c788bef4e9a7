import NotificationModel
import Postgres

extension MaintenanceStep {
  /// A link can take back only what was done while its mail was there, or on its way: who has unsubscribed gets no mails of the category,
  /// and who gets them again has no row. So no link that a row is of use to holds for more than a link's lifetime after the click. A day
  /// longer, for mails that were on their way and for clocks.
  static let unsubscriptions = Self { session, _, _ in
    let age = UnsubscribeLink.lifetime + 86_400
    _ = try await session.query(
      "DELETE FROM unsubscriptions WHERE unsubscribed_at < now() - make_interval(secs => \(age))"
    )
  }
}
