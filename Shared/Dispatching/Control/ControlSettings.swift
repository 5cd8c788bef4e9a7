/// How a channel's provider is spared.
public struct ControlSettings: Sendable, Equatable {
  /// Calls a minute in all scopes of a kind, of all processes together; 0: as many as there are.
  public var quotaPerMinute: Int
  /// No retries in the two minutes around :00, :15, :30 and :45.
  public var sparesQuarterHours: Bool
  /// Calls a minute in each scope that is a part, of all processes together; 0: as many as there are.
  public var scopeQuotaPerMinute: Int
  /// Whether a scope gets fewer calls for a while after the provider said that they are too many (``ScopePace``).
  public var slowsDown: Bool
  /// A scope whose calls take no longer is not slow, whatever others take; silence counts from ten times that.
  public var slowFrom: Duration

  public init(
    quotaPerMinute: Int = 0,
    sparesQuarterHours: Bool = false,
    scopeQuotaPerMinute: Int = 0,
    slowsDown: Bool = false,
    slowFrom: Duration = .zero
  ) {
    self.quotaPerMinute = quotaPerMinute
    self.sparesQuarterHours = sparesQuarterHours
    self.scopeQuotaPerMinute = scopeQuotaPerMinute
    self.slowsDown = slowsDown
    self.slowFrom = slowFrom
  }
}

extension ControlSettings {
  /// Whether processes share a quota, so that their number counts.
  var hasQuota: Bool { quotaPerMinute > 0 || scopeQuotaPerMinute > 0 }

  /// Calls a second of one of so many processes; nil: as many as there are.
  func rate(consumers: Int) -> Double? { Self.share(quotaPerMinute, consumers) }

  /// The same of each scope that is a part.
  func scopeRate(consumers: Int) -> Double? { Self.share(scopeQuotaPerMinute, consumers) }

  private static func share(_ perMinute: Int, _ consumers: Int) -> Double? {
    perMinute > 0 ? Double(perMinute) / 60 / Double(max(1, consumers)) : nil
  }
}
