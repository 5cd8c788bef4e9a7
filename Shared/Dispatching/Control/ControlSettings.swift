/// How a channel's provider is spared.
public struct ControlSettings: Sendable, Equatable {
  /// Calls a minute in all scopes of a kind, of all processes together; 0: as many as there are.
  public var quotaPerMinute: Int
  /// No retries in the two minutes around :00, :15, :30 and :45.
  public var sparesQuarterHours: Bool

  public init(quotaPerMinute: Int = 0, sparesQuarterHours: Bool = false) {
    self.quotaPerMinute = quotaPerMinute
    self.sparesQuarterHours = sparesQuarterHours
  }
}

extension ControlSettings {
  /// Calls a second of one of so many processes; nil: as many as there are.
  func rate(consumers: Int) -> Double? {
    quotaPerMinute > 0 ? Double(quotaPerMinute) / 60 / Double(max(1, consumers)) : nil
  }
}
