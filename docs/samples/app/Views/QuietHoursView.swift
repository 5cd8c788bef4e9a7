// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import Foundation
import SwiftUI

/// Quiet hours: a switch, the bar, the zone.
struct QuietHoursView: View {
  let model: PreferencesModel
  /// What the finger makes of them, until it is sent.
  @State private var dragged: QuietHours?

  var body: some View {
    List {
      if let error = model.error { Text(error.userText).foregroundStyle(Color.red) }
      if let preferences = model.preferences {
        Section {
          Toggle("Quiet hours", isOn: isEnabled(preferences))
          if preferences.quietHoursEnabled {
            QuietHoursBarView(hours: hours(preferences)) { hours, isFinal in
              dragged = hours
              if isFinal { Task { await send(hours, true) } }
            }
            Text(hours(preferences).text()).monospacedDigit()
          }
        } footer: {
          Text("Pushes wait. The inbox gets everything at once.")
        }
        zone(QuietHoursZone(preferences))
      }
    }
    .navigationTitle("Quiet hours")
  }

  private func zone(_ zone: QuietHoursZone) -> some View {
    Section {
      Text(zone.text)
      if let offer = zone.offer, let offered = zone.offered {
        Button(offer) {
          Task { await model.setTimezone(offered) }
        }
      }
    }
  }

  private func hours(_ preferences: Preferences) -> QuietHours {
    dragged ?? QuietHours(preferences) ?? .usual
  }

  private func isEnabled(_ preferences: Preferences) -> Binding<Bool> {
    let (isEnabled, hours) = (preferences.quietHoursEnabled, hours(preferences))
    return Binding {
      isEnabled
    } set: { value in
      Task { await send(hours, value) }
    }
  }

  private func send(_ hours: QuietHours, _ isEnabled: Bool) async {
    await model.setQuietHours(isEnabled, start: hours.wireText(.start), end: hours.wireText(.end))
    if dragged == hours { dragged = nil }
  }
}
