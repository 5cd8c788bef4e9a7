/// Why a service could not start, in words for the person who starts it.
public struct StartError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
