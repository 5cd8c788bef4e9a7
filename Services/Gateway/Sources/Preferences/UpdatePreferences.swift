import Foundation
import BelfryJSON
import NotificationModel
import NotificationStore

/// What a user changes; nil and what is not listed stays as it is.
struct UpdatePreferences: FieldReadable {
  private let types: PreferenceItems<Catalogue.Reference>
  private let categories: PreferenceItems<String>
  private let isEnabled: Bool?
  /// `null` ends a pause.
  private let pausedUntil: Date??
  private let isSoundEnabled: Bool?
  private let isBadgeEnabled: Bool?
  /// `null` is the deployment's.
  private let timezone: String??

  /// By the names of the catalogue's settings; `null` is its default again.
  private let numbers: [JSONMember]

  /// Seconds: nobody is forgotten for longer.
  private static let longestPause: TimeInterval = 366 * 86_400
  /// As many as a catalogue has types: what was answered can be put back.
  static let maximumItems = 10_000
  private static let fields = [
    "preferences", "categories", "notificationsEnabled", "soundEnabled", "badgeEnabled", "settings",
  ]
  private static let nullableFields = ["pausedUntil", "timezone"]

  init?(_ reader: FieldReader) {
    let isAnyPresent =
      Self.fields.contains(where: reader.isPresent) || Self.nullableFields.contains(where: reader.names.contains)
    if !isAnyPresent { reader.problem("preferences", "is required, or another setting") }
    let expected = "true or false"
    isEnabled = reader.optional("notificationsEnabled", Bool.self, expected: expected)
    isSoundEnabled = reader.optional("soundEnabled", Bool.self, expected: expected)
    isBadgeEnabled = reader.optional("badgeEnabled", Bool.self, expected: expected)
    pausedUntil = reader.names.contains("pausedUntil") ? .some(reader.time("pausedUntil")) : nil
    timezone = reader.names.contains("timezone") ? .some(reader.timezone("timezone")) : nil
    numbers = reader.object("settings") { $0.json.members } ?? []
    let types = reader.objects("preferences", limit: Self.maximumItems, Self.type)
    self.types = PreferenceItems(list: "preferences", member: "notificationType", items: types ?? [])
    let categories = reader.objects("categories", limit: Self.maximumItems, Self.category)
    self.categories = PreferenceItems(list: "categories", member: "category", items: categories ?? [])
  }

  private static func type(_ item: FieldReader) -> (name: Catalogue.Reference, choices: ChannelChoices)? {
    let type = item.typeReference("notificationType")
    let choices = switches(item)
    return type.map { ($0, choices) }
  }

  private static func category(_ item: FieldReader) -> (name: String, choices: ChannelChoices)? {
    let category = item.requiredText("category", limit: 100)
    let choices = switches(item)
    return category.map { ($0, choices) }
  }

  /// The switches of an item, at least one.
  ///
  /// Where one of those that every client knows is left out, another name may be that one, misspelt: then it is refused. Who sends all
  /// three sends what else they like, as ever.
  private static func switches(_ item: FieldReader) -> ChannelChoices {
    let fields = PreferenceField.all(item.routing).map(\.name)
    if !PreferenceField.first.allSatisfy({ item.isPresent($0.name) }) {
      item.refuseUnknown(known: Set(fields + ["notificationType", "typeName", "category", "mixed"]))
    }
    if !fields.contains(where: item.isPresent) {
      item.problem("", "needs a switch: \(fields.joined(separator: ", "))")
    }
    return PreferenceField.read(item)
  }

  /// The choices as they are stored.
  ///
  /// - Throws: ``ValidationError`` with what the catalogue does not have, contradictions, and a pause that is too long.
  func rows(in catalogue: Catalogue, at now: Date) throws(ValidationError) -> PreferenceRows {
    let known = Set(catalogue.types.lazy.map(\.category))
    var errors: [FieldError] = []
    var rows = PreferenceRows()
    rows.types = types.choices(errors: &errors) {
      catalogue.type($0)?.code
    } unknown: { type, isAdvised in
      isAdvised ? catalogue.unknown(type: type) : "\(type) is not in the catalogue"
    }
    rows.categories = categories.choices(errors: &errors) {
      known.contains($0) ? $0 : nil
    } unknown: { category, isAdvised in
      isAdvised ? catalogue.unknown(category: category) : "is not a category of the catalogue"
    }
    for number in numbers.prefix(100) {
      let problem = Self.problem(of: number, in: catalogue, isAdvised: errors.count < PreferenceItems<String>.advised)
      if let problem { errors.append(problem) }
    }
    if case .some(.some(let until)) = pausedUntil, until > now + Self.longestPause {
      errors.append(FieldError("pausedUntil", "must be within a year"))
    }
    guard errors.isEmpty else { throw ValidationError(Array(errors.prefix(100))) }
    return rows
  }

  private static func problem(of member: JSONMember, in catalogue: Catalogue, isAdvised: Bool) -> FieldError? {
    guard let setting = catalogue.setting(member.name) else {
      let problem = isAdvised ? catalogue.unknown(setting: member.name) : "is not a setting of the catalogue"
      return FieldError("settings.\(member.name.prefix(64))", problem)
    }
    if case .null = member.value { return nil }
    let isGood = Decimal(exactly: member.value).map(setting.bounds.contains) ?? false
    return isGood ? nil : FieldError("settings.\(member.name)", setting.expectation)
  }

  /// - Parameter requested: What ``rows(in:at:)`` has answered.
  func apply(_ requested: PreferenceRows, to settings: inout UserSettings, in catalogue: Catalogue) {
    settings.rows = settings.rows.setting(requested, in: catalogue.types)
    if let isEnabled { settings.isEnabled = isEnabled }
    if let pausedUntil { settings.pausedUntil = pausedUntil }
    if let isSoundEnabled { settings.isSoundEnabled = isSoundEnabled }
    if let isBadgeEnabled { settings.isBadgeEnabled = isBadgeEnabled }
    if let timezone { settings.timezone = timezone }
    for member in numbers {
      let wanted = Decimal(exactly: member.value)
      // What is shown already is no choice: a later catalogue still reaches who puts all of it back.
      if let wanted, wanted == catalogue.setting(member.name)?.effective(settings.numbers[member.name]) { continue }
      settings.numbers[member.name] = wanted
    }
  }
}
