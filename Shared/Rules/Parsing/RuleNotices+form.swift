import BelfryJSON
import TerminalText
import WallClock

extension RuleNotices {
  /// A type's name, `{ type, to?, data?, about? }`, a list of these, or `{ 100: …, else: … }` by what was reached.
  ///
  /// - Parameter about: The rule's, for notices without their own.
  init(_ reader: FormReader, about: FormReader?, _ catalogue: RuleCatalogue) throws(RuleError) {
    let about = try about.map { about throws(RuleError) in try EntityPlan(about) }
    var labels: [String: Int] = [:]
    guard reader.value.members != nil, !reader.has("type") else {
      selected = [:]
      otherwise = try Self.plans(reader, about, catalogue, &labels)
      return
    }
    var selected: [String: [NoticePlan]] = [:]
    var otherwise: [NoticePlan] = []
    let names = try reader.names()
    guard (1...RuleCondition.maximumValues).contains(names.count) else { throw reader.error("expected a type") }
    for name in names {
      let element = try reader.required(name)
      let plans = reader.part { () throws(RuleError) in try Self.plans(element, about, catalogue, &labels) } ?? []
      if name == "else" {
        otherwise = plans
      } else {
        guard let selector = ExactNumber(name)?.description ?? DayOffset(name)?.description else {
          throw reader.error("expected 'type', or values with their types and 'else'", at: name.excerpt)
        }
        guard selected.updateValue(plans, forKey: selector) == nil else {
          throw reader.error("is there twice", at: name)
        }
      }
    }
    self.selected = selected
    self.otherwise = otherwise
  }

  private static func plans(
    _ reader: FormReader,
    _ about: EntityPlan?,
    _ catalogue: RuleCatalogue,
    _ labels: inout [String: Int]
  ) throws(RuleError) -> [NoticePlan] {
    var plans: [NoticePlan] = []
    for element in try reader.elements(atMost: maximumPlans) {
      let read = reader.part { () throws(RuleError) in try plan(element, about, catalogue, &labels) }
      if let read { plans.append(read) }
    }
    return plans
  }

  private static func plan(
    _ reader: FormReader,
    _ about: EntityPlan?,
    _ catalogue: RuleCatalogue,
    _ labels: inout [String: Int]
  ) throws(RuleError) -> NoticePlan {
    let isMapping = reader.value.members != nil
    if isMapping { try reader.refuseUnknown(NoticePlan.keys) }
    let field = isMapping ? try reader.required("type") : reader
    let name = try field.text()
    guard let type = catalogue.type(name) else {
      let advice = NearestName.advice(name, among: catalogue.types)
      throw field.error("'\(name.excerpt)' is not a type of the catalogue\(advice)")
    }
    labels[type, default: 0] += 1
    let count = labels[type] ?? 1
    let own = try reader.reader("about").map { reader throws(RuleError) in try EntityPlan(reader) }
    return NoticePlan(
      type: type,
      label: count == 1 ? type : "\(type)#\(count)",
      to: try reader.reader("to").map { reader throws(RuleError) in try AudiencePlan(reader) },
      data: try reader.reader("data").map { reader throws(RuleError) in try Rule.data(reader, catalogue) },
      carried: catalogue.carried[type],
      about: own ?? about
    )
  }
}

extension NoticePlan {
  static let keys: Set = ["type", "to", "data", "about"]
}

extension AudiencePlan {
  static let groupKeys: Set = ["group", "except"]

  /// `"{{contactId}}"`, a list of these, or `{ group: "conversation:{{id}}", except? }`.
  fileprivate init(_ reader: FormReader) throws(RuleError) {
    guard reader.value.members != nil else {
      self = .users(try Self.templates(reader))
      return
    }
    try reader.refuseUnknown(Self.groupKeys)
    let except = try reader.reader("except").map { reader throws(RuleError) in try Self.templates(reader) }
    self = .group(try reader.required("group").plainTemplate(), except: except ?? [])
  }

  private static func templates(_ reader: FormReader) throws(RuleError) -> [RuleTemplate] {
    var templates: [RuleTemplate] = []
    for element in try reader.elements(atMost: 16) { templates.append(try element.plainTemplate()) }
    return templates
  }
}

extension EntityPlan {
  static let keys: Set = ["type", "id"]

  /// `{ type: Conversation, id: "{{conversationId}}" }`.
  fileprivate init(_ reader: FormReader) throws(RuleError) {
    try reader.refuseUnknown(Self.keys)
    self.init(type: try reader.required("type").text(), id: try reader.required("id").plainTemplate())
  }
}
