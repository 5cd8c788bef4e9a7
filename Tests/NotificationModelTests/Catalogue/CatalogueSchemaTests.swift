import BelfryJSON
import Testing

@testable import NotificationModel
@testable import Rules

/// catalogue.schema.json has the members that the parser knows, no more and no fewer.
@Suite struct CatalogueSchemaTests {
  private static let channels = Set(Channel.allCases.map(\.name))

  /// Where the schema has an object with members of its own, and what the parser knows there.
  private static let places: [String: Set<String>] = [
    "": CatalogueForm.fields,
    "composition": CatalogueForm.compositionFields,
    "mailLayout": MailLayout.fields,
    "$defs.mailColors": MailColors.fields,
    "$defs.channels": channels,
    "$defs.defaults": TypeDefaults.fields,
    "$defs.category": NotificationCategory.fields,
    "$defs.category.mail": MailHandling.fields,
    "$defs.type": TypeEntry.fields,
    "$defs.type.wait": channels.subtracting([InAppRouting().name]),
    "$defs.type.digest": Digest.fields,
    "$defs.type.throttle": Throttle.fields,
    "$defs.type.actions": NotificationAction.fields,
    "$defs.type.mail": MailTexts.fields,
    "$defs.event": EventType.fields,
    "$defs.off": Overridable<ScheduleTemplate>.offFields,
    "$defs.schedule": ScheduleTemplate.fields,
    "$defs.declaredSetting": DeclaredSetting.fields,
    "$defs.rule": Rule.keys,
    "$defs.notice": NoticePlan.keys,
    "$defs.groupAudience": AudiencePlan.groupKeys,
    "$defs.about": EntityPlan.keys,
    "$defs.computation": RuleComputation.keys,
    "$defs.setting": RuleBound.settingKeys,
    "$defs.when": RuleCondition.companions.values.reduce(Set(RuleCondition.companions.keys)) { $0.union($1) },
    "$defs.remind": RuleReminder.dayKeys.union(RuleReminder.instantKeys),
    "$defs.before": RuleReminder.Before.keys,
  ]

  private static func schema() throws -> JSONValue { try JSONParser.parse(Catalogue.schema) }

  /// The members of every object of a schema, by the names that lead there.
  private static func objects(_ schema: JSONValue, _ path: [String], _ found: inout [String: Set<String>]) {
    if let properties = schema["properties"]?.members {
      // An `if` looks at members of the object that it belongs to.
      found[path.joined(separator: "."), default: []].formUnion(properties.map(\.name))
      for property in properties { objects(property.value, path + [property.name], &found) }
    }
    for word in ["oneOf", "anyOf"] {
      for variant in schema[word]?.array ?? [] { objects(variant, path, &found) }
    }
    for word in ["items", "then", "else", "additionalProperties"] {
      if let next = schema[word] { objects(next, path, &found) }
    }
  }

  @Test func `each member of the parser is in the schema, and each of the schema in the parser`() throws {
    let schema = try Self.schema()
    var found: [String: Set<String>] = [:]
    Self.objects(schema, [], &found)
    for definition in try #require(schema["$defs"]?.members) {
      Self.objects(definition.value, ["$defs", definition.name], &found)
    }
    #expect(Set(found.keys) == Set(Self.places.keys))
    for (place, fields) in Self.places {
      #expect(found[place] == fields, "\(place)")
    }
  }

  @Test func `a condition takes the same companions in both`() throws {
    let variants = try #require(try Self.schema()["$defs"]?["when"]?["anyOf"]?.array)
    var companions: [String: Set<String>] = [:]
    for variant in variants {
      guard let names = variant["properties"]?.members?.map(\.name) else { continue }
      let operators = names.filter { RuleCondition.companions[$0] != nil }
      try #require(operators.count == 1)
      companions[operators[0], default: []].formUnion(Set(names).subtracting(operators))
    }
    #expect(companions == RuleCondition.companions)
  }

  @Test func `choices are the same in both`() throws {
    let schema = try Self.schema()
    let type = try #require(schema["$defs"]?["type"]?["properties"])
    func choices(_ schema: JSONValue?) -> [String?]? { schema?["enum"]?.array?.map(\.string) }
    #expect(choices(type["quietHours"]) == QuietHoursPolicy.allCases.map(\.rawValue))
    #expect(choices(type["priority"]) == NotificationType.Priority.allCases.map(\.rawValue))
    #expect(choices(type["throttle"]?["properties"]?["then"]) == Throttle.Excess.allCases.map(\.rawValue))
  }

  @Test func `an object of the schema that lists its members takes no others`() throws {
    func check(_ schema: JSONValue, _ path: String) {
      let listed = schema["properties"] != nil && schema["type"]?.string == "object"
      if listed { #expect(schema["additionalProperties"] == .boolean(false), "\(path)") }
      for member in schema.members ?? [] { check(member.value, "\(path).\(member.name)") }
      for element in schema.array ?? [] { check(element, path) }
    }
    check(try Self.schema(), "")
  }

  @Test func `every member of the parser stands in a file that both take`() throws {
    var used: Set<String> = []
    func collect(_ json: JSONValue) {
      for member in json.members ?? [] {
        used.insert(member.name)
        collect(member.value)
      }
      for element in json.array ?? [] { collect(element) }
    }
    for file in SampleFile.all where file.expectation == .good { collect(try CatalogueYAML.json(file.yaml)) }
    let all = Self.places.values.reduce(Set()) { $0.union($1) }
    #expect(all.subtracting(used) == [])
  }
}
