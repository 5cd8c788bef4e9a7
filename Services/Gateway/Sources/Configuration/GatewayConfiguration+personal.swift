public import Settings

/// What users may do with all that is kept about them.
public struct PersonalConfiguration: Sendable {
  /// `DELETE /api/v1/me`.
  public var allowsErasing: Bool
  /// `GET /api/v1/me/export`.
  public var allowsExporting: Bool

  public init(allowsErasing: Bool = false, allowsExporting: Bool = true) {
    self.allowsErasing = allowsErasing
    self.allowsExporting = allowsExporting
  }

  public init(_ settings: Settings) {
    allowsErasing = settings.boolean(
      "gateway.selfErase",
      default: false,
      "Whether users may erase all that is kept about them (DELETE /api/v1/me). Services may in any case."
    )
    allowsExporting = settings.boolean(
      "gateway.selfExport",
      default: true,
      "Whether users may export all that is kept about them (GET /api/v1/me/export). Services may in any case."
    )
  }
}
