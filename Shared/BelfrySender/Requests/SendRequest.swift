public import Foundation

/// "This happened, notify these people."
///
/// What is wrong with it is found before it is sent: ``BelfrySender`` throws an error with every field's name.
public struct SendRequest: NotificationBuilding, CheckedRequest {
  private let audience: Audience
  private let type: NotificationTypeReference
  private var content = NotificationContent()
  private var sendAt: Date?
  private var expiresAt: Date?

  static let maximumBody = 256 * 1_024

  /// - Parameters:
  ///   - audience: Whom to notify.
  ///   - type: One of the catalogue.
  public init(to audience: Audience, type: NotificationTypeReference) {
    self.audience = audience
    self.type = type
  }

  /// When it is sent, at most a year ahead; at once, if that has passed.
  public func at(_ instant: Date) -> Self { changed { $0.sendAt = instant } }

  /// After that it is not delivered any more; the type says when, unless given. Later than ``at(_:)``.
  public func expiring(at instant: Date) -> Self { changed { $0.expiresAt = instant } }

  public func withContent(_ change: (inout NotificationContent) -> Void) -> Self {
    changed { change(&$0.content) }
  }

  private func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  func node(_ checks: inout FieldChecks) -> JSONNode {
    var members = content.members(isToTopic: audience.isTopic, &checks)
    members["to"] = audience.node("to", &checks)
    members["type"] = type.node("type", &checks)
    if let sendAt { members["sendAt"] = .value(sendAt) }
    if let expiresAt {
      members["expiresAt"] = .value(expiresAt)
      if let sendAt, SenderJSON.text(expiresAt) <= SenderJSON.text(sendAt) {
        checks.problem("expiresAt", "must be later than sendAt")
      }
    }
    return .object(members)
  }
}
