extension [String] {
  /// As a sentence names them: `a, b or c`.
  public var alternatives: String {
    guard count > 1, let last else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) or \(last)"
  }
}
