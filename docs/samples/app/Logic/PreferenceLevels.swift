import BelfryClient
import Foundation

/// A switch that stands for several: a category, or everything.
enum SwitchState: Sendable, Equatable {
  case on, off
  /// Some are on and some off.
  case mixed

  /// Of none: off.
  init(_ values: [Bool]) {
    self = values.allSatisfy(\.self) && !values.isEmpty ? .on : values.contains(true) ? .mixed : .off
  }

  /// What VoiceOver says beside the switch; nil where the switch says it itself.
  var note: String? { self == .mixed ? "partly on" : nil }
}

/// The three levels at which channels are switched, for the screens.
struct PreferenceLevels: Sendable, Equatable {
  /// What a screen shows of a category.
  struct Category: Sendable, Equatable, Identifiable {
    let id: String
    let types: [Preferences.TypePreference]
    let switches: Preferences.Switches

    /// Read off the types, which follow each tap at once.
    func state(_ channel: PreferencesModel.Channel) -> SwitchState {
      SwitchState(types.isEmpty ? [switches[channel]] : types.map { $0.switches[channel] })
    }

    /// What the row says below its name: the channels that are on.
    var summary: String {
      let texts = PreferencesModel.Channel.allCases.compactMap { channel -> String? in
        switch state(channel) {
        case .on: channel.title
        case .mixed: "\(channel.title) (partly)"
        case .off: nil
        }
      }
      return texts.isEmpty ? "Off" : texts.joined(separator: ", ")
    }
  }

  let categories: [Category]

  init(_ preferences: Preferences) {
    self.init(types: preferences.types, categories: preferences.categories)
  }

  init(types: [Preferences.TypePreference], categories: [Preferences.CategoryPreference]) {
    let types = Dictionary(grouping: types, by: \.category)
    self.categories = categories.map { category in
      Category(id: category.category, types: types[category.category] ?? [], switches: category.switches)
    }
  }

  /// Nil where the catalogue has none of this name any more.
  func category(_ id: Category.ID) -> Category? { categories.first { $0.id == id } }

  /// A channel for everything.
  func state(_ channel: PreferencesModel.Channel) -> SwitchState {
    SwitchState(
      categories.flatMap { category in
        category.types.isEmpty ? [category.switches[channel]] : category.types.map { $0.switches[channel] }
      }
    )
  }
}

extension Preferences.Switches {
  subscript(channel: PreferencesModel.Channel) -> Bool {
    switch channel {
    case .inApp: inApp
    case .push: push
    case .email: email
    }
  }
}

extension PreferencesModel.Channel {
  var title: String {
    switch self {
    case .inApp: "Inbox"
    case .push: "Push"
    case .email: "Email"
    }
  }

  /// A name of SF Symbols.
  var image: String {
    switch self {
    case .inApp: "tray"
    case .push: "iphone"
    case .email: "envelope"
    }
  }
}

/// A name from the catalogue as words: `lowBalanceThreshold` is "Low balance threshold". An app that knows its catalogue has texts of its own.
func words(_ name: String) -> String {
  var words = ""
  var before: Character?
  for character in name {
    if let before, character.isUppercase, !before.isUppercase { words.append(" ") }
    words.append(words.isEmpty ? character.uppercased() : character.lowercased())
    before = character
  }
  return words
}

/// A number of the catalogue's settings as the user types it.
enum SettingText {
  static func text(_ value: Double, locale: Locale = .autoupdatingCurrent) -> String {
    value.formatted(.number.grouping(.never).precision(.fractionLength(0...6)).locale(locale))
  }

  /// Nil for what is no number.
  static func value(_ text: String, locale: Locale = .autoupdatingCurrent) -> Double? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.count <= 20, let value = try? Double(text, format: .number.locale(locale)), value.isFinite else {
      return nil
    }
    return value
  }
}
