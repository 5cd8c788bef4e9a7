/// Why pushes cannot be sent at all, in words for the operator.
struct PushError: Error, CustomStringConvertible {
  let description: String
  /// Whether it may pass by itself.
  let isTransient: Bool

  init(_ description: String, isTransient: Bool = false) {
    self.description = description
    self.isTransient = isTransient
  }
}
