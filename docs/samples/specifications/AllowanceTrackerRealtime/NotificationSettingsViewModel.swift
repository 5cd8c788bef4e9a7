import BelfryClient
import Foundation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

#if canImport(UIKit)
  import UIKit
#else
  import AppleDeclarations
#endif

/// The settings view's model. The specification's own REST form (`NotificationPreferencesDTO`) has no sound and no badge; the
/// preferences of Belfry's client have all of them, and one request saves them.
@MainActor
class NotificationSettingsViewModel: ObservableObject {
  @Published var notificationsEnabled = false
  @Published var transactionNotifications = true
  @Published var allowanceNotifications = true
  @Published var choreNotifications = true
  @Published var goalNotifications = true
  @Published var soundEnabled = true
  @Published var badgeEnabled = true
  @Published var lowBalanceAlertEnabled = false
  @Published var lowBalanceThreshold: Decimal = 10.0
  @Published var isSaving = false
  /// Why the last call failed; nil if it did not.
  @Published var error: (any Error)?

  private let notificationManager: NotificationManager
  private let client: @MainActor () -> BelfryClient?

  /// - Parameter client: Of the signed-in user; nil while nobody is.
  init(
    notificationManager: NotificationManager = .shared,
    client: @escaping @MainActor () -> BelfryClient? = { SignalRManager.shared.client }
  ) {
    self.notificationManager = notificationManager
    self.client = client
  }

  func requestPermission() async {
    await attempt { notificationsEnabled = try await notificationManager.requestPermission() }
  }

  /// Opens the system's settings, where the user can switch them off.
  func disableNotifications() async {
    if let url = URL(string: UIApplication.openSettingsURLString) { await UIApplication.shared.open(url) }
  }

  func loadPreferences() async {
    await attempt {
      guard let client = client() else { throw BelfryError(.unauthorized) }
      show(try await client.rest.getPreferences())
    }
  }

  func savePreferences() async {
    isSaving = true
    defer { isSaving = false }
    await attempt {
      guard let client = client() else { throw BelfryError(.unauthorized) }
      show(try await client.rest.updatePreferences(update))
    }
  }

  // MARK: What the switches are about

  /// The code of the warning of a low balance, whose switch is one of its own.
  static let lowBalanceWarning = 2

  private static let switches:
    [(category: String, path: ReferenceWritableKeyPath<NotificationSettingsViewModel, Bool>)] = [
      ("Balance & Transactions", \.transactionNotifications), ("Allowance", \.allowanceNotifications),
      ("Tasks", \.choreNotifications), ("Goals & Savings", \.goalNotifications),
    ]

  private func show(_ preferences: Preferences) {
    notificationsEnabled = preferences.notificationsEnabled
    for (category, path) in Self.switches {
      // A category shows as on if any of its types is; the low balance has a switch of its own.
      self[keyPath: path] = preferences.types.contains {
        $0.category == category && $0.type != Self.lowBalanceWarning && ($0.switches.inApp || $0.switches.push)
      }
    }
    lowBalanceAlertEnabled = preferences.types.contains {
      $0.type == Self.lowBalanceWarning && ($0.switches.inApp || $0.switches.push)
    }
    soundEnabled = preferences.soundEnabled
    badgeEnabled = preferences.badgeEnabled
    lowBalanceThreshold = preferences.settings["lowBalanceThreshold"].map { Decimal($0) } ?? 10
  }

  private var update: PreferencesUpdate {
    var update = PreferencesUpdate()
    update.notificationsEnabled = notificationsEnabled
    for (category, path) in Self.switches {
      update.categories[category] = PreferencesUpdate.Switches(inApp: self[keyPath: path], push: self[keyPath: path])
    }
    update.types[Self.lowBalanceWarning] = PreferencesUpdate.Switches(
      inApp: lowBalanceAlertEnabled,
      push: lowBalanceAlertEnabled
    )
    update.soundEnabled = soundEnabled
    update.badgeEnabled = badgeEnabled
    if lowBalanceAlertEnabled {
      update.settings["lowBalanceThreshold"] = .set(NSDecimalNumber(decimal: lowBalanceThreshold).doubleValue)
    }
    return update
  }

  private func attempt(_ work: () async throws -> Void) async {
    do {
      try await work()
      error = nil
    } catch {
      self.error = error
    }
  }
}
