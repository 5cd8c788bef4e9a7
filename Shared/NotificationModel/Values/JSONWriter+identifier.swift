import Foundation
public import BelfryJSON

/// Identifiers are most of what the router writes: straight into the text, without a string of their own.
extension JSONWriter {
  public mutating func identifier<Subject>(_ identifier: Identifier<Subject>) {
    identifier.uuid.withCharacters { plainString($0) }
  }

  public mutating func field<Subject>(_ name: StaticString, _ value: Identifier<Subject>) {
    key(name)
    identifier(value)
  }
}
