// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import BelfryClientTesting
import SwiftUI

// Previews with a server in memory. Leave this file out of the app, or add `BelfryClientTesting` to its target.

extension Account {
  /// Signed in to a server with some notifications.
  @MainActor
  static func preview(_ server: InMemoryServer = .preview()) -> Account {
    let client = server.client()
    let system = Pushes.System(center: NoNotifications(), askForToken: {}, stop: {})
    let account = Account(client, pushes: Pushes(client, system: system, store: MemoryPushStore()))
    Task { await client.connect() }
    return account
  }
}

/// A system that shows nothing, and whose user has said no.
struct NoNotifications: SystemNotifications {
  func permission() async -> SystemPermission { .denied }
  func requestPermission(quietly: Bool) async throws -> Bool { false }
  func delivered() async -> [DeliveredNotification] { [] }
  func remove(_ identifiers: [String]) async {}
  func setBadge(_ count: Int) async {}
  func register(_ categories: [PushCategory]) async {}
}

struct NotificationCenter_Previews: PreviewProvider {
  static var previews: some View {
    NotificationCenterView(account: .preview())
    NotificationCenterView(account: .preview(.preview([])))
    NotificationCenterView(account: .preview(offline))
  }

  private static var offline: InMemoryServer {
    let server = InMemoryServer.preview()
    Task { await server.goOffline() }
    return server
  }
}

struct Bell_Previews: PreviewProvider {
  static var previews: some View {
    HStack(spacing: 40) {
      BellButton(count: 0) {}
      BellButton(count: 7) {}
      BellButton(count: 120) {}
    }
  }
}

struct Settings_Previews: PreviewProvider {
  static var previews: some View {
    NavigationStack { PreferencesView(model: .preview()) }
    NavigationStack { QuietHoursView(model: .preview()) }
    NavigationStack { DevicesView(model: .preview(), installation: nil) }
    SignInView(session: AppSession(MemoryCredentialStore(), system: system) { BelfryConfiguration(gateway: $0) })
  }

  private static var system: Pushes.System {
    Pushes.System(center: NoNotifications(), askForToken: {}, stop: {})
  }
}

struct QuietHoursBar_Previews: PreviewProvider {
  static var previews: some View {
    QuietHoursBarView(hours: .usual) { _, _ in }
    QuietHoursBarView(hours: QuietHours(start: 720, end: 840)) { _, _ in }
  }
}
