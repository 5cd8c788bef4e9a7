// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// The numbers that the catalogue lets users set.
struct SettingsSection: View {
  let model: PreferencesModel
  let settings: [String: Double]

  var body: some View {
    if !settings.isEmpty {
      Section("Settings") {
        ForEach(settings.keys.sorted(), id: \.self) { name in
          SettingField(model: model, name: name, value: settings[name] ?? 0)
        }
      }
    }
  }
}

/// A number that is sent when the user has finished typing.
struct SettingField: View {
  let model: PreferencesModel
  let name: String
  let value: Double
  @State private var text = ""
  @FocusState private var isTyping: Bool

  var body: some View {
    HStack {
      Text(words(name))
      Spacer()
      TextField(words(name), text: $text)
        .keyboardType(.decimalPad)
        .multilineTextAlignment(.trailing)
        .focused($isTyping)
        .frame(maxWidth: 120)
    }
    .swipeActions(edge: .trailing) {
      Button("Default") {
        Task { await model.setSetting(name, nil) }
      }
    }
    .onAppear { text = SettingText.text(value) }
    .onChange(of: value) { _, value in
      if !isTyping { text = SettingText.text(value) }
    }
    .onChange(of: isTyping) { _, isTyping in
      if !isTyping { Task { await send() } }
    }
  }

  private func send() async {
    if let typed = SettingText.value(text), typed != value { await model.setSetting(name, typed) }
    // What was refused, or is no number, is shown as it was.
    text = SettingText.text(model.preferences?.settings[name] ?? value)
  }
}
