import BelfryClient
import Foundation
import Observation

/// A signed-in user: the client and the models of the screens.
@MainActor
@Observable
final class Account {
  let center: NotificationCenterModel
  let preferences: PreferencesModel
  let devices: DevicesModel
  let pushes: Pushes
  var isCenterShown = false
  /// Which notifications are open, the last one on top.
  var path: [BelfryNotification] = []

  @ObservationIgnored let client: BelfryClient

  init(_ client: BelfryClient, pushes: Pushes) {
    self.client = client
    self.pushes = pushes
    center = NotificationCenterModel(client, tabs: [.all, .unread, .archived, .snoozed])
    preferences = PreferencesModel(client)
    devices = DevicesModel(client)
  }

  /// The user has opened a notification: it is opened and read.
  func open(_ notification: BelfryNotification) async {
    await center.opened(notification.id)
    if !notification.isRead { await center.markAsRead(notification.id) }
  }

  /// The user has tapped a push: shows its notification, if the server still has it.
  ///
  /// - Returns: Whether it is shown.
  @discardableResult
  func show(_ route: PushRoute) async -> Bool {
    guard route.action != .dismiss, let id = route.notification else { return false }
    var found = await client.notification(id)
    if found == nil {
      // It came while the app was not there.
      await center.refresh()
      found = await client.notification(id)
    }
    guard let found else { return false }
    isCenterShown = true
    path = [found]
    return true
  }

  /// Connects at once, and reads the list anew.
  func tryAgain() async {
    await client.retry()
    await center.refresh()
  }
}
