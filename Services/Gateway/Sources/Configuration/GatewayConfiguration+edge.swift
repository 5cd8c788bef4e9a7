public import ServiceRuntime
public import Settings

/// How fast callers may ask, and which web pages may. Each process counts for itself.
public struct EdgeConfiguration: Sendable {
  /// Requests a second of one user; twice that in a burst. 0 is unlimited; so are the others.
  public var userRate: Int
  /// Of one service, by its API key or the subject of its token.
  public var serviceRate: Int
  /// From one address, whoever asks.
  public var addressRate: Int
  /// From one address, of those that bring no valid token or API key.
  public var refusedRate: Int
  /// From one address, of those by links to unsubscribe.
  public var unsubscribeRate: Int
  /// Whether addresses are those that a proxy tells.
  public var trustsForwardedFor: Bool
  /// Of web pages that may read answers.
  public var allowedOrigins: AllowedOrigins

  public init(
    userRate: Int = 0,
    serviceRate: Int = 0,
    addressRate: Int = 0,
    refusedRate: Int = 0,
    unsubscribeRate: Int = 0,
    trustsForwardedFor: Bool = false,
    allowedOrigins: AllowedOrigins = .none
  ) {
    self.userRate = userRate
    self.serviceRate = serviceRate
    self.addressRate = addressRate
    self.refusedRate = refusedRate
    self.unsubscribeRate = unsubscribeRate
    self.trustsForwardedFor = trustsForwardedFor
    self.allowedOrigins = allowedOrigins
  }

  public init(_ settings: Settings) {
    userRate = settings.integer(
      "gateway.userRate",
      default: 50,
      in: 0...100_000,
      "Requests a second that one user may make; twice that in a burst; 0 is unlimited. Each process counts for itself."
    )
    serviceRate = settings.integer(
      "gateway.serviceRate",
      default: 0,
      in: 0...1_000_000,
      "Requests a second that one service may make, by its API key or the subject of its token; twice that in a burst; 0 is "
        + "unlimited."
    )
    addressRate = settings.integer(
      "gateway.addressRate",
      default: 0,
      in: 0...1_000_000,
      "Requests a second from one IPv4 address or IPv6 /64 network, of all callers together, without those to /health; "
        + "twice that in a burst; 0 is unlimited. Behind a proxy see BELFRY_GATEWAY_TRUST_FORWARDED_FOR."
    )
    refusedRate = settings.integer(
      "gateway.refusedRate",
      default: 100,
      in: 0...100_000,
      "Requests a second without a valid token or API key from one address or network; twice that in a burst; 0 is "
        + "unlimited. Beyond the limit the gateway answers them 429 instead of 401. Requests from there with an API "
        + "key or token that this gateway has not checked before get 429, too."
    )
    unsubscribeRate = settings.integer(
      "gateway.unsubscribeRate",
      default: 100,
      in: 0...100_000,
      "Requests a second by links to unsubscribe from one address or network; twice that in a burst; 0 is unlimited. Mailbox "
        + "providers unsubscribe many people from few addresses."
    )
    trustsForwardedFor = settings.boolean(
      "gateway.trustForwardedFor",
      default: false,
      "Whether a proxy in front says in the last entry of X-Forwarded-For where a client comes from. Only rate limits "
        + "use that address."
    )
    allowedOrigins = settings.value(
      "gateway.allowedOrigins",
      default: .none,
      kind: AllowedOrigins.kind,
      "Origins of web pages that may use the REST API, e.g. https://app.example."
    )
  }
}
