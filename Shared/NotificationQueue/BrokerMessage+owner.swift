public import Broker
public import NotificationModel

/// Whose request a message is.
///
/// A gateway says it in a header, for `app-id` names the gateway itself; who publishes straight to the queue owns what its
/// `app-id` names. Routers that do not know the header pass it over. Both are worth what the broker's credentials are worth:
/// whoever may publish to the exchange may name anybody.
extension BrokerMessage {
  static let ownerHeader = "x-belfry-owner"

  public var owner: RequestOwner {
    get {
      guard isOfService else { return RequestOwner(appID ?? "") }
      return RequestOwner(headers[Self.ownerHeader]?.stringValue)
    }
    set { headers[Self.ownerHeader] = newValue.text.map { .string($0) } }
  }

  /// Whether a service of Belfry's, of whatever version, published it.
  public var isOfService: Bool { appID?.hasPrefix("belfry-") == true }
}
