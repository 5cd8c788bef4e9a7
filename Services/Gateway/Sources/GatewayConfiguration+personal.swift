public import Settings

/// What users may do with all that is kept about them.
public struct PersonalConfiguration: Sendable {
  /// `DELETE /api/v1/me`.
  public var allowsErasing: Bool

  public init(allowsErasing: Bool = false) {
    self.allowsErasing = allowsErasing
  }

  public init(_ settings: Settings) {
    allowsErasing = settings.boolean(
      "gateway.selfErase",
      default: false,
      "Whether users may erase all that is kept about them (DELETE /api/v1/me). Services may in any case."
    )
  }
}
