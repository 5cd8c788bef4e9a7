extension CatalogueInForce {
  /// What anybody may know of ``summary``: `version 7` or `file`, neither the file's path nor what is wrong with a newer version.
  public var openSummary: String {
    if case .file = current.source { return "file" }
    return String(summary.prefix { $0 != ";" })
  }

  /// Whether there is a newer version that this release cannot read, so that the one before is still in force here.
  public var isBehind: Bool {
    if case .file = current.source { return false }
    return isKnown && summary != openSummary
  }
}
