public import Broker

/// Whose request a message is.
///
/// A gateway says it in a header, for `app-id` names the gateway itself; who publishes straight to the queue owns what its
/// `app-id` names. Routers that do not know the header pass it over.
extension BrokerMessage {
  static let ownerHeader = "x-belfry-owner"

  /// The subject of the sender's token, or the sender's `app-id`. Empty is every sender's.
  public var owner: String {
    get { headers[Self.ownerHeader]?.stringValue ?? appID ?? "" }
    set { headers[Self.ownerHeader] = .string(newValue) }
  }
}
