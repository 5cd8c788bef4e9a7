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
  var isCenterShown = false
  /// Which notifications are open, the last one on top.
  var path: [BelfryNotification] = []

  @ObservationIgnored let client: BelfryClient

  init(_ client: BelfryClient) {
    self.client = client
    center = NotificationCenterModel(client, tabs: [.all, .unread, .archived, .snoozed])
    preferences = PreferencesModel(client)
    devices = DevicesModel(client)
  }

  /// The user has tapped a row: it is opened and read.
  func open(_ notification: BelfryNotification) async {
    await center.opened(notification.id)
    if !notification.isRead { await center.markAsRead(notification.id) }
  }

  /// The user has tapped a push: shows the notification, if the server still has it.
  ///
  /// - Returns: Whether it is shown.
  @discardableResult
  func show(_ id: BelfryNotification.ID) async -> Bool {
    var found = await client.notification(id)
    if found == nil {
      await center.refresh()
      found = await client.notification(id)
    }
    guard let found else { return false }
    isCenterShown = true
    path = [found]
    return true
  }

  /// Says that an entity is on the screen, until the task is cancelled.
  func view(_ entity: RelatedEntity?) async {
    guard let entity else { return }
    await client.startViewing(entity)
    let (never, end) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    end.finish()
    await client.stopViewing()
  }

  /// Connects at once, and reads the list anew.
  func tryAgain() async {
    await client.retry()
    await center.refresh()
  }
}
