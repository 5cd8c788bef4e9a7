public import Broker
public import NotificationModel

/// How far a large audience is expanded: the last user who was notified, in a header of the request itself.
///
/// A router that does not know the header expands the whole audience again: what is stored is found, and nobody is notified
/// twice.
extension BrokerMessage {
  static let bookmarkHeader = "x-belfry-after"

  public var bookmark: UserID? {
    get { headers[Self.bookmarkHeader]?.stringValue.flatMap { UserID($0) } }
    set { headers[Self.bookmarkHeader] = newValue.map { .string($0.description) } }
  }
}
