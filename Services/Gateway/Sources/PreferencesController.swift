import Foundation
import Hummingbird
import JSON
import NotificationModel
import NotificationStore
import WallClock

/// A user's own choices, quiet hours, pause and switches.
struct PreferencesController {
  let settings: SettingsStore
  let catalogue: Catalogue
  /// Of who has chosen none.
  let zone: Zone

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    answer(try await settings.settings(of: try context.user()), at: .now)
  }

  /// `UpdateNotificationPreferencesDto`, and whatever else ``get(_:context:)`` answers; what it leaves out stays as it is.
  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let update: UpdatePreferences = try await RequestBody.read(of: request)
    let now = Date.now
    try update.validate(in: catalogue, at: now)
    return try await change(of: user, at: now) { update.apply(to: &$0, in: catalogue) }
  }

  /// `UpdateQuietHoursDto`.
  func putQuietHours(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let update: UpdateQuietHours = try await RequestBody.read(of: request)
    return try await change(of: user, at: .now) { try update.apply(to: &$0) }
  }

  private func change(
    of user: UserID,
    at now: Date,
    _ change: (inout UserSettings) throws -> Void
  ) async throws -> Response {
    answer(try await settings.change(of: user, in: catalogue.types, at: now, change), at: now)
  }

  /// `NotificationPreferencesDto`: every type of the catalogue with what holds for it, and the rest beside it.
  private func answer(_ settings: UserSettings, at now: Date) -> Response {
    .json { writer in
      writer.object { writer in
        writer.array("preferences") { writer in
          for type in catalogue.types {
            writer.object { writer in
              writer.field("notificationType", type.code)
              writer.field("typeName", type.name)
              writer.field("category", type.category)
              PreferenceField.write(settings.rows.effective(type), to: &writer)
            }
          }
        }
        writer.array("categories") { writer in
          for category in catalogue.typeCategories {
            writer.object { writer in
              writer.field("category", category)
              PreferenceField.write(settings.rows.effective(category: category, among: catalogue.types), to: &writer)
            }
          }
        }
        writer.field("notificationsEnabled", settings.isEnabled)
        writer.nullableField("pausedUntil", settings.pausedUntil.flatMap { $0 > now ? $0.rfc3339 : nil })
        writer.field("soundEnabled", settings.isSoundEnabled)
        writer.field("badgeEnabled", settings.isBadgeEnabled)
        writer.nullableField("timezone", settings.timezone)
        writer.field("effectiveTimezone", (settings.timezone.flatMap { Zone($0) } ?? zone).identifier)
        writer.field("quietHoursEnabled", settings.quietHoursEnabled)
        writer.nullableField("quietHoursStart", settings.quietHoursStart?.description)
        writer.nullableField("quietHoursEnd", settings.quietHoursEnd?.description)
      }
    }
  }
}

extension Catalogue {
  /// The headings of its types, each once, in the order of the types.
  var typeCategories: [String] {
    var seen: Set<String> = []
    return types.map(\.category).filter { seen.insert($0).inserted }
  }
}
