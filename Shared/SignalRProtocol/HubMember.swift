/// A named value of an object.
public struct HubMember: Sendable, Equatable {
  public let name: String
  public let value: HubValue

  public init(_ name: String, _ value: HubValue) {
    self.name = name
    self.value = value
  }
}
