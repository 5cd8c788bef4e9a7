/// A kind of notification, as the catalogue describes it.
public struct NotificationType: Sendable {
  /// How urgently providers should treat it.
  public enum Priority: String, Sendable, Codable { case normal, high }

  /// Integer on the wire.
  public let code: Int
  /// Name on the wire, e.g. `AllowanceDeposit`.
  public let name: String
  /// Heading under which preferences show it.
  public let category: String
  /// Channels used when the recipient has not chosen.
  public let channels: PerChannel<Bool>
  public let priority: Priority
  /// Seconds after which an undelivered notification is dropped.
  public let timeToLive: Int
  public let template: NotificationTemplate
}
