import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import WallClock

/// A user's own choices, quiet hours, pause and switches.
struct PreferencesController {
  let settings: SettingsStore
  let catalogue: Catalogue
  let channels: [any RoutingChannel]
  /// Of who has chosen none.
  let zone: Zone
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    settings = SettingsStore(client: dependencies.database)
    catalogue = dependencies.catalogue
    channels = dependencies.channels
    zone = dependencies.zone
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("notifications/preferences", .user, get),
      .put("notifications/preferences", .user, put),
      .put("notifications/preferences/quiet-hours", .user, putQuietHours),
    ]
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let stored = try await settings.settings(of: try context.user())
    return try Precondition(request).answer(representation(stored, at: clock()))
  }

  /// `UpdateNotificationPreferencesDto`, and whatever else ``get(_:context:)`` answers; what it leaves out stays as it is.
  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, now) = (try context.user(), clock())
    // What ``get(_:context:)`` answers has room: a type's item has at most so many bytes.
    let maximum = max(RequestBody.maximum, catalogue.types.count * 1_024)
    let update: UpdatePreferences = try await RequestBody.read(of: request, maximum: maximum, routing: channels)
    let rows = try update.rows(in: catalogue, at: now)
    return try await change(of: user, at: now, if: Precondition(request)) { update.apply(rows, to: &$0, in: catalogue) }
  }

  /// `UpdateQuietHoursDto`. What it answers, and may be told to match, is what ``get(_:context:)`` answers.
  func putQuietHours(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, now) = (try context.user(), clock())
    let update: UpdateQuietHours = try await RequestBody.read(of: request)
    return try await change(of: user, at: now, if: Precondition(request)) { try update.apply(to: &$0) }
  }

  private func change(
    of user: UserID,
    at now: Date,
    if precondition: Precondition,
    _ change: (inout UserSettings) throws -> Void
  ) async throws -> Response {
    let changed = try await settings.change(of: user, in: catalogue.types, at: now) { settings in
      // What is stored, under the lock that it is changed under.
      if precondition.isPresent { try precondition.check(representation(settings, at: now).tag) }
      try change(&settings)
    }
    return representation(changed, at: now).response()
  }

  /// `NotificationPreferencesDto`: every type of the catalogue with what holds for it, and the rest beside it.
  private func representation(_ settings: UserSettings, at now: Date) -> Representation {
    let fields = PreferenceField.all(channels)
    return Representation { writer in
      writer.object { writer in
        writer.array("preferences") { writer in
          for type in catalogue.types {
            writer.object { writer in
              writer.field("notificationType", type.code)
              writer.field("typeName", type.name)
              writer.field("category", type.category)
              PreferenceField.write(settings.rows.effective(type), fields, to: &writer)
            }
          }
        }
        writer.array("categories") { writer in
          for category in catalogue.typeCategories {
            writer.object { writer in
              let shown = settings.rows.shown(category: category, among: catalogue.types)
              writer.field("category", category)
              PreferenceField.write(shown.choices, fields, to: &writer)
              if !shown.mixed.isEmpty {
                writer.array("mixed") { writer in
                  for channel in shown.mixed { writer.string(channel.name(among: channels)) }
                }
              }
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
        writer.object("settings") { writer in
          for setting in catalogue.settings {
            writer.dynamicKey(setting.name)
            writer.raw(setting.effective(settings.numbers[setting.name]).description)
          }
        }
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
