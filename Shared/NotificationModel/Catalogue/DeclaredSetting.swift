public import Foundation
import BelfryJSON

/// A number that a catalogue lets each person set for themselves, and that rules compare with.
public struct DeclaredSetting: Sendable, Equatable {
  /// 1 to 64 ASCII letters, digits, `_` and `-`, a letter first; rules and `users.settings` have it as written.
  public let name: String
  /// What a person may set.
  public let bounds: ClosedRange<Decimal>
  /// Of who has set nothing; within the bounds.
  public let initial: Decimal
  /// For apps; nil where the catalogue gives none.
  public let title: LocalizedText?

  /// What holds for a person. A value that was stored under other bounds counts as the nearest within these.
  public func effective(_ stored: Decimal?) -> Decimal {
    stored.map { min(max($0, bounds.lowerBound), bounds.upperBound) } ?? initial
  }

  /// What a value has to be, for who sent another.
  public var expectation: String { "expected a number from \(bounds.lowerBound) to \(bounds.upperBound)" }
}

extension DeclaredSetting {
  static let fields: Set = ["name", "type", "minimum", "maximum", "default", "title", "replaces"]
  /// Of a catalogue: a person's are read with each event.
  static let maximumCount = 32
  /// What rules can calculate with, which ends before 10^15.
  static let widest: ClosedRange<Decimal> = -999_999_999_999_999...999_999_999_999_999
  /// What `users.settings` holds beside them.
  static let reservedNames: Set = ["soundenabled", "badgeenabled"]

  init?(_ reader: FieldReader, original: String) {
    reader.refuseUnknown(known: Self.fields)
    reader.checkReplaces()
    for name in ["type", "default"] where !reader.isPresent(name) { reader.problem(name, "is required") }
    let name = Self.name(reader)
    if let type = reader.text("type", limit: 64), type != "number" {
      reader.problem("type", "'\(type.excerpt)' is not number, which is all there is")
    }
    let bounds = Self.bounds(reader)
    let initial = reader.decimal("default", in: bounds ?? Self.widest)
    let title = reader.localized("title", limit: 64, original: original)
    guard let name, let bounds, let initial else { return nil }
    self.init(name: name, bounds: bounds, initial: initial, title: title)
  }

  private static func name(_ reader: FieldReader) -> String? {
    guard let name = reader.required("name", String.self, expected: "a string") else { return nil }
    if name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_\-]{0,63}/) == nil {
      reader.problem("name", "expected 1 to 64 letters, digits, '_' and '-', a letter first")
    }
    if reservedNames.contains(name.lowercased()) { reader.problem("name", "is a setting of every user's") }
    return name
  }

  private static func bounds(_ reader: FieldReader) -> ClosedRange<Decimal>? {
    let minimum = reader.decimal("minimum", in: widest)
    let maximum = reader.decimal("maximum", in: widest)
    if let minimum, let maximum, minimum > maximum {
      reader.problem("minimum", "\(minimum) is above the maximum \(maximum)")
      return nil
    }
    return (minimum ?? widest.lowerBound)...(maximum ?? widest.upperBound)
  }
}

extension DeclaredSetting {
  /// - Parameter title: In the reader's language.
  func writeFields(to writer: inout JSONWriter, title: String?) {
    writer.field("name", name)
    writer.field("type", "number")
    for (name, number) in [("minimum", bounds.lowerBound), ("maximum", bounds.upperBound), ("default", initial)] {
      writer.dynamicKey(name)
      writer.raw(number.description)
    }
    writer.nullableField("title", title)
  }
}
