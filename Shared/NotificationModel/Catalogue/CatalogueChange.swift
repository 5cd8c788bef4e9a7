/// One thing that a catalogue does otherwise than the one before it, in words for an operator.
public struct CatalogueChange: Sendable, Equatable {
  /// What is another. Raw values travel and are stored: they never change.
  public enum Kind: String, Sendable, CaseIterable {
    case typeAdded, typeRemoved, typeRenamed, typeChanged
    /// What is stored under a code gets another meaning.
    case codeReused
    /// A text of a type, of its digest or its buttons, or of what several notifications say as one.
    case textChanged
    case variableRequired, variableNoLongerRequired
    /// What holds for people who made no choice.
    case defaultChanged
    case categoryAdded, categoryRemoved, categoryChanged
    case eventAdded, eventRemoved, eventChanged
    case ruleAdded, ruleRemoved, ruleChanged
    case scheduleAdded, scheduleRemoved, scheduleChanged
    case settingAdded, settingRemoved, settingChanged
    /// The default locale or the currency.
    case localeChanged, currencyChanged
    /// Of what no entry alone says; also what a later release calls by a name that this one does not know.
    case otherChanged
  }

  public var kind: Kind
  /// Of the type, category, event, rule, schedule template or setting.
  public var name: String
  /// A few sentences.
  public var text: String

  public init(kind: Kind, name: String, text: String) {
    self.kind = kind
    self.name = name
    self.text = text
  }
}
