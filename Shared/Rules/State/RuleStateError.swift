/// A stored state that this version cannot read: a later version's, or damaged. Nothing can be decided until it is mended.
public struct RuleStateError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = "rule state: \(description)"
  }
}
