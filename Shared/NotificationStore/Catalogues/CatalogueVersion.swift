public import Foundation
import BelfryJSON
public import NotificationModel
import Postgres

/// An operator's catalogue file, as it was applied.
public struct CatalogueVersion: Sendable, Equatable {
  /// All but the file itself.
  public struct Summary: Sendable, Equatable {
    /// From 1, one after another.
    public var number: Int
    public var appliedAt: Date
    /// A token's subject; `erased` of an erased user.
    public var appliedBy: String
    /// Which version was put in force again; nil where the text is new.
    public var rollbackOf: Int?
    public var changes: [CatalogueChange]

    public init(number: Int, appliedAt: Date, appliedBy: String, rollbackOf: Int? = nil, changes: [CatalogueChange]) {
      self.number = number
      self.appliedAt = appliedAt
      self.appliedBy = appliedBy
      self.rollbackOf = rollbackOf
      self.changes = changes
    }
  }

  /// Which version it is. After a backup was restored there may be another of the same number.
  public struct Identity: Sendable, Hashable {
    public var number: Int
    public var appliedAt: Date

    public init(number: Int, appliedAt: Date) {
      (self.number, self.appliedAt) = (number, appliedAt)
    }
  }

  public var summary: Summary
  /// YAML, exactly as it was given.
  public var text: String

  public var number: Int { summary.number }
  public var identity: Identity { Identity(number: number, appliedAt: summary.appliedAt) }

  public init(_ summary: Summary, text: String) {
    self.summary = summary
    self.text = text
  }
}

extension CatalogueVersion.Summary {
  init(_ row: PostgresRow) throws(PostgresError) {
    self.init(
      number: try row.get("number"),
      appliedAt: try row.get("applied_at"),
      appliedBy: try row.get("applied_by"),
      rollbackOf: try row.get("rollback_of"),
      changes: try [CatalogueChange](stored: row.get("changes"))
    )
  }
}

extension [CatalogueChange] {
  /// As a column of jsonb has them.
  init(stored text: String) throws(PostgresError) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONParser.parse(Array<UInt8>(text.utf8))
    } catch {
      throw .decoding("the changes of a catalogue version: \(error)")
    }
    self = (value.array ?? []).map { change in
      CatalogueChange(
        kind: change["kind"]?.string.flatMap { CatalogueChange.Kind(rawValue: $0) } ?? .otherChanged,
        name: change["name"]?.string ?? "",
        text: change["text"]?.string ?? ""
      )
    }
  }

  /// As a column of jsonb takes them, which refuses U+0000.
  var stored: String {
    func clean(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
    return JSONWriter.text(
      .array(
        map { change in
          .object([
            JSONMember("kind", change.kind.rawValue), JSONMember("name", clean(change.name)),
            JSONMember("text", clean(change.text)),
          ])
        }
      )
    )
  }
}
