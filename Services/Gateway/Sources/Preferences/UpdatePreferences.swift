import Foundation
import NotificationModel
import NotificationStore

/// What a user changes; nil and what is not listed stays as it is.
struct UpdatePreferences: FieldReadable {
  private var requested = PreferenceRows()
  private let isEnabled: Bool?
  /// `null` ends a pause.
  private let pausedUntil: Date??
  private let isSoundEnabled: Bool?
  private let isBadgeEnabled: Bool?
  /// `null` is the deployment's.
  private let timezone: String??

  /// Seconds: nobody is forgotten for longer.
  private static let longestPause: TimeInterval = 366 * 86_400
  private static let fields = [
    "preferences", "categories", "notificationsEnabled", "soundEnabled", "badgeEnabled",
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
    for item in reader.objects("preferences", limit: 500, Self.type) ?? [] { requested.types[item.0] = item.1 }
    for item in reader.objects("categories", limit: 500, Self.category) ?? [] { requested.categories[item.0] = item.1 }
  }

  private static func type(_ item: FieldReader) -> (Int, ChannelChoices)? {
    let type = item.required("notificationType", Int.self, expected: "a type's code")
    let choices = PreferenceField.read(item, isWhole: true)
    guard let type, let choices else { return nil }
    return (type, choices)
  }

  private static func category(_ item: FieldReader) -> (String, ChannelChoices)? {
    let category = item.requiredText("category", limit: 100)
    let choices = PreferenceField.read(item, isWhole: false)
    guard let category, let choices else { return nil }
    return (category, choices)
  }

  /// - Throws: ``ValidationError`` with what the catalogue does not have, and a pause that is too long.
  func validate(in catalogue: Catalogue, at now: Date) throws(ValidationError) {
    let known = Set(catalogue.types.map(\.category))
    var errors =
      requested.types.keys.filter { catalogue.type(.code($0)) == nil }.sorted()
      .map { FieldError("preferences", "notificationType \($0) is not in the catalogue") }
      + requested.categories.keys.filter { !known.contains($0) }.sorted()
      .map { FieldError("categories", "'\($0)' is not a category of the catalogue") }
    if case .some(.some(let until)) = pausedUntil, until > now + Self.longestPause {
      errors.append(FieldError("pausedUntil", "must be within a year"))
    }
    guard errors.isEmpty else { throw ValidationError(errors) }
  }

  func apply(to settings: inout UserSettings, in catalogue: Catalogue) {
    settings.rows = settings.rows.setting(requested, in: catalogue.types)
    if let isEnabled { settings.isEnabled = isEnabled }
    if let pausedUntil { settings.pausedUntil = pausedUntil }
    if let isSoundEnabled { settings.isSoundEnabled = isSoundEnabled }
    if let isBadgeEnabled { settings.isBadgeEnabled = isBadgeEnabled }
    if let timezone { settings.timezone = timezone }
  }
}
