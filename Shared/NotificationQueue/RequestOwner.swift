public import Broker

/// Whose request a message is.
///
/// A gateway says it in a header, for `app-id` names the gateway itself; who publishes straight to the queue owns what its
/// `app-id` names. Routers that do not know the header pass it over. Both are worth what the broker's credentials are worth:
/// whoever may publish to the exchange may name anybody.
extension BrokerMessage {
  static let ownerHeader = "x-belfry-owner"

  /// The subject of the sender's token, or the sender's `app-id`. Empty is every sender's; nil is not known, as of what a
  /// gateway has accepted that did not tell yet.
  public var owner: String? {
    get {
      guard isOfService else { return appID ?? "" }
      return headers[Self.ownerHeader]?.stringValue
    }
    set { headers[Self.ownerHeader] = newValue.map { .string($0) } }
  }

  /// Whether a service of Belfry's, of whatever version, published it.
  public var isOfService: Bool { appID?.hasPrefix("belfry-") == true }
}
