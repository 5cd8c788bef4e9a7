/// The five services of Belfry.
public enum BelfryService: String, Sendable, CaseIterable {
  case gateway
  case router
  case push
  case inapp
  case email

  /// The name of its executable.
  public var executable: String { "belfry-\(rawValue)" }
}
