// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import Foundation
import SwiftUI

/// All preferences: the master switch, a pause, channels at three levels, quiet hours, settings, mutes.
struct PreferencesView: View {
  let model: PreferencesModel

  var body: some View {
    List {
      if let error = model.error { Text(error.userText).foregroundStyle(Color.red) }
      if let preferences = model.preferences {
        general(preferences)
        PauseSection(model: model, pausedUntil: preferences.pausedUntil)
        LevelsSection(model: model, levels: PreferenceLevels(preferences))
        Section {
          NavigationLink("Quiet hours") { QuietHoursView(model: model) }
          NavigationLink("Muted") { MutesView(model: model) }
        }
        SettingsSection(model: model, settings: preferences.settings)
      }
    }
    .overlay {
      if model.isLoading && model.preferences == nil { ProgressView("Loading") }
    }
    .navigationTitle("Preferences")
    .task { await model.load() }
    .refreshable { await self.model.load() }
  }

  private func general(_ preferences: Preferences) -> some View {
    Section {
      Toggle(
        "Notifications",
        isOn: model.binding(preferences.notificationsEnabled) { await $0.setNotificationsEnabled($1) }
      )
      Toggle("Sound", isOn: model.binding(preferences.soundEnabled) { await $0.setSoundEnabled($1) })
      Toggle("Number on the app’s icon", isOn: model.binding(preferences.badgeEnabled) { await $0.setBadgeEnabled($1) })
    } footer: {
      if !preferences.notificationsEnabled { Text("Off silences everything, the inbox too.") }
    }
  }
}

extension PreferencesModel {
  /// A switch that shows a value, and sends what the user makes of it.
  func binding(
    _ value: Bool,
    _ set: @escaping @MainActor @Sendable (PreferencesModel, Bool) async -> Void
  ) -> Binding<Bool> {
    Binding {
      value
    } set: { value in
      Task { await set(self, value) }
    }
  }
}

/// No pushes for a while.
struct PauseSection: View {
  let model: PreferencesModel
  let pausedUntil: Date?

  var body: some View {
    Section {
      if let pausedUntil, pausedUntil > Date() {
        Text("Paused until \(pausedUntil.formatted(date: .abbreviated, time: .shortened))")
        Button("End the pause") {
          Task { await model.pause(until: nil) }
        }
      } else {
        Menu("Pause pushes") {
          ForEach(TimeChoice.pause()) { choice in
            Button(choice.title) {
              Task { await model.pause(until: choice.date) }
            }
          }
        }
      }
    } footer: {
      Text("The inbox gets everything at once.")
    }
  }
}
