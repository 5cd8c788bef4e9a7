import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore

/// The few switches of the iOS specification (`NotificationPreferencesDTO`), over the same data as ``PreferencesController``.
struct CoarseSettingsController {
  let settings: SettingsStore
  let catalogue: Catalogue
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    settings = SettingsStore(client: dependencies.database)
    catalogue = dependencies.catalogue
    clock = dependencies.clock
  }

  /// None where the catalogue lacks what the switches are about: see ``absentPaths``.
  var routes: [Route] { CoarseSettings.missing(in: catalogue).isEmpty ? all : [] }

  var absentPaths: [AbsentPath] { AbsentPath.all(of: all, missing: CoarseSettings.missing(in: catalogue)) }

  private var all: [Route] {
    [
      .get("notification-preferences", .user, get),
      .put("notification-preferences", .user, put),
    ]
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    try Precondition(request).answer(representation(try await settings.settings(of: try context.user())))
  }

  /// `UpdateNotificationPreferencesDTO`.
  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, now) = (try context.user(), clock())
    let coarse = try await RequestBody.read(UpdateCoarseSettings.self, of: request).settings
    if let wanted = coarse.lowBalanceThreshold, let threshold, !threshold.bounds.contains(wanted) {
      throw Problem.invalid(CoarseSettings.threshold, threshold.expectation)
    }
    let precondition = Precondition(request)
    let changed = try await settings.change(of: user, in: catalogue.types, at: now) { settings in
      // What is stored, under the lock that it is changed under.
      if precondition.isPresent { try precondition.check(representation(settings).tag) }
      // Nobody may set what no rule reads; a form that is put back as it was shown sets nothing.
      if threshold == nil, let wanted = coarse.lowBalanceThreshold, wanted != shownThreshold(settings) {
        throw Problem.invalid(CoarseSettings.threshold, "is not a setting of the catalogue")
      }
      settings.isEnabled = coarse.inAppEnabled
      settings.rows = coarse.rows(from: settings.rows, in: catalogue.types)
      guard threshold != nil else { return }
      let name = CoarseSettings.threshold
      settings.numbers[name] = coarse.threshold(from: settings.numbers[name])
    }
    return representation(changed).response()
  }

  /// Nil where the catalogue declares no such setting.
  private var threshold: DeclaredSetting? { catalogue.setting(CoarseSettings.threshold) }

  private func shownThreshold(_ settings: UserSettings) -> Decimal {
    let stored = settings.numbers[CoarseSettings.threshold]
    return threshold?.effective(stored) ?? stored ?? CoarseSettings.firstThreshold
  }

  private func representation(_ settings: UserSettings) -> Representation {
    let coarse = CoarseSettings(
      isEnabled: settings.isEnabled,
      rows: settings.rows,
      threshold: shownThreshold(settings),
      in: catalogue.types
    )
    return Representation { writer in
      writer.object { writer in
        writer.field("inAppEnabled", coarse.inAppEnabled)
        writer.field("inAppTransactions", coarse.inAppTransactions)
        writer.field("inAppAllowance", coarse.inAppAllowance)
        writer.field("inAppChores", coarse.inAppChores)
        writer.field("inAppGoals", coarse.inAppGoals)
        writer.field("lowBalanceNotifications", coarse.lowBalanceNotifications)
        writer.key("lowBalanceThreshold")
        writer.raw((coarse.lowBalanceThreshold ?? CoarseSettings.firstThreshold).description)
      }
    }
  }
}

/// `UpdateNotificationPreferencesDTO`: all six switches, and a threshold that stays as it is where it is absent or null.
struct UpdateCoarseSettings: FieldReadable {
  let settings: CoarseSettings

  init?(_ reader: FieldReader) {
    func flag(_ name: String) -> Bool? { reader.required(name, Bool.self, expected: "true or false") }
    let (enabled, transactions, allowance) = (flag("inAppEnabled"), flag("inAppTransactions"), flag("inAppAllowance"))
    let (chores, goals, lowBalance) = (flag("inAppChores"), flag("inAppGoals"), flag("lowBalanceNotifications"))
    let threshold = reader.amount("lowBalanceThreshold")
    guard let enabled, let transactions, let allowance, let chores, let goals, let lowBalance else { return nil }
    settings = CoarseSettings(
      inAppEnabled: enabled,
      inAppTransactions: transactions,
      inAppAllowance: allowance,
      inAppChores: chores,
      inAppGoals: goals,
      lowBalanceNotifications: lowBalance,
      lowBalanceThreshold: threshold
    )
  }
}
