// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// Channels for everything, and a row for each category.
struct LevelsSection: View {
  let model: PreferencesModel
  let levels: PreferenceLevels

  var body: some View {
    Section("Everything") {
      ForEach(PreferencesModel.Channel.allCases, id: \.self) { channel in
        ChannelToggle(title: channel.title, image: channel.image, state: levels.state(channel)) { value in
          await model.set(channel, value)
        }
      }
    }
    Section("By category") {
      ForEach(levels.categories) { category in
        NavigationLink {
          CategoryView(model: model, id: category.id)
        } label: {
          VStack(alignment: .leading) {
            Text(category.id)
            Text(category.summary).font(.caption).foregroundStyle(Color.secondary)
          }
        }
      }
    }
  }
}

/// Channels for a category, and for each of its types.
struct CategoryView: View {
  let model: PreferencesModel
  let id: String

  var body: some View {
    List {
      if let category = model.preferences.flatMap({ PreferenceLevels($0).category(id) }) {
        Section("All of \(id)") {
          ForEach(PreferencesModel.Channel.allCases, id: \.self) { channel in
            ChannelToggle(title: channel.title, image: channel.image, state: category.state(channel)) { value in
              await model.set(channel, value, category: id)
            }
          }
        }
        ForEach(category.types, id: \.type) { type in
          Section(words(type.typeName)) {
            ForEach(PreferencesModel.Channel.allCases, id: \.self) { channel in
              ChannelToggle(
                title: channel.title,
                image: channel.image,
                state: SwitchState([type.switches[channel]])
              ) { value in
                await model.set(channel, value, type: type.type)
              }
            }
          }
        }
      }
    }
    .navigationTitle(id)
  }
}

/// A switch that can stand for several that differ: then it is off, and says so; switched on, all of them are on.
struct ChannelToggle: View {
  let title: String
  let image: String
  let state: SwitchState
  let set: @MainActor @Sendable (Bool) async -> Void

  var body: some View {
    Toggle(isOn: isOn) {
      Label(title, systemImage: image)
      if let note = state.note { Text(note).font(.caption).foregroundStyle(Color.secondary) }
    }
  }

  private var isOn: Binding<Bool> {
    let (isOn, set) = (state == .on, set)
    return Binding {
      isOn
    } set: { value in
      Task { await set(value) }
    }
  }
}
