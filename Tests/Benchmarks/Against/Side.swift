/// Whose services run.
enum Side: String, Codable, CaseIterable, Sendable {
  case these
  case other

  /// For a line of progress.
  var name: String { self == .these ? "these services" : "the other ones" }
}
