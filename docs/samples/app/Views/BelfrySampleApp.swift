// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import Foundation
import SwiftUI

#if os(iOS)
  @main
#endif
struct BelfrySampleApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
  @Environment(\.scenePhase) private var phase

  var body: some Scene {
    WindowGroup {
      RootView(session: delegate.session)
        .task { await delegate.session.connect() }
    }
    .onChange(of: phase, initial: true) { _, phase in
      // Inactive is a glance at the app switcher: the connection stays.
      if phase == .inactive { return }
      if phase == .background { delegate.wentBehind() }
      Task { await delegate.session.setInFront(phase == .active) }
    }
  }
}

/// The sign-in, or the app.
struct RootView: View {
  let session: AppSession

  var body: some View {
    if let account = session.account {
      // Another user's screens begin anew.
      HomeView(session: session, account: account).id(ObjectIdentifier(account))
    } else {
      SignInView(session: session)
    }
  }
}

/// Stands for your app: any screen with a bell in its toolbar.
struct HomeView: View {
  let session: AppSession
  @Bindable var account: Account

  var body: some View {
    NavigationStack {
      List {
        NavigationLink("Preferences") { PreferencesView(model: account.preferences) }
        NavigationLink("Devices") { DevicesView(model: account.devices, installation: account.pushes.installation) }
        Section {
          Button("Sign out", role: .destructive) {
            Task { await session.signOut() }
          }
        }
      }
      .navigationTitle("Belfry")
      .toolbar {
        ToolbarItem(placement: .topBarTrailing) {
          BellButton(count: account.center.unreadCount) { account.isCenterShown = true }
        }
      }
    }
    .sheet(isPresented: $account.isCenterShown) {
      NotificationCenterView(account: account)
    }
    .sheet(isPresented: account.pushes.isAskingShown) {
      PushPrimer(pushes: account.pushes)
    }
    .task { await account.pushes.run() }
  }
}
