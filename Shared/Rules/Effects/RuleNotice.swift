public import Foundation

/// A notification that a rule wants sent.
public struct RuleNotice: Sendable, Equatable {
  /// Of the data that travels with a notification, names and values together, in bytes: as much as a send may have.
  public static let maximumData = 4_096

  public let id: EffectID
  /// Name of a type of the catalogue, as it is written there.
  public let type: String
  public let audience: RuleAudience
  public let data: [String: RuleText]
  /// Names of the data's values that the event has as numbers or booleans, and the notice as they are.
  public let literals: Set<String>
  public let about: RuleEntity?
  /// The notification's time: of the intake of the event behind it or, if later, of the instant it was due. Never the
  /// moment of the evaluation.
  public let at: Date

  public init(
    id: EffectID,
    type: String,
    audience: RuleAudience,
    data: [String: RuleText],
    literals: Set<String> = [],
    about: RuleEntity?,
    at: Date
  ) {
    self.id = id
    self.type = type
    self.audience = audience
    self.data = data
    self.literals = literals
    self.about = about
    self.at = at
  }
}

/// Whom a notice is for.
public enum RuleAudience: Sendable, Equatable {
  /// Each once, in the event's order; never empty.
  case users([UUID])
  case group(String, except: [UUID])
}

/// What a notice is about: `relatedEntityType` and `relatedEntityId` of a request.
public struct RuleEntity: Sendable, Equatable {
  public let type: String
  public let id: String

  public init(type: String, id: String) {
    self.type = type
    self.id = id
  }
}
