import Foundation
import NotificationModel
import Synchronization

@testable import NotificationStore

/// What people chose and what they answered, kept beside the database act by act, and what of that is to be counted.
///
/// Acts on one person's choices are reported to it under the lock that keeps them one after the other: it sees their order.
final class PeopleModel: Sendable {
  /// What a person can switch on and off.
  enum Subject: Hashable {
    case type(Int)
    case category(String)
  }

  struct Switch: Hashable {
    var subject: Subject
    var channel: Channel
  }

  enum Act {
    /// The master switch.
    case all(Bool)
    /// Nil takes the choice back.
    case choose(Switch, Bool?)
  }

  private struct Person {
    var isEnabled = true
    var hasProfile = false
    var choices: [Switch: Bool] = [:]
  }

  private struct Device {
    var owner: UserID
    var answers: Set<DevicePermission> = []
  }

  private struct State {
    var people: [UserID: Person] = [:]
    var devices: [DeviceID: Device] = [:]
    var sums = StatSums()
  }

  private let types: [Int: NotificationType]
  private let categories: [String: [NotificationType]]
  private let state = Mutex(State())

  init(catalogue: [NotificationType]) {
    types = Dictionary(uniqueKeysWithValues: catalogue.map { ($0.code, $0) })
    categories = Dictionary(grouping: catalogue, by: \.category)
  }

  /// What is to be counted by now.
  var sums: StatSums { state.withLock { $0.sums } }

  /// Whether a person is to hear of a type on a channel, the master switch aside.
  func hears(_ user: UserID, of type: NotificationType, on channel: Channel) -> Bool {
    state.withLock { isOn(Switch(subject: .type(type.code), channel: channel), $0.people[user] ?? Person()) }
  }

  func isEnabled(_ user: UserID) -> Bool { state.withLock { $0.people[user]?.isEnabled ?? true } }

  // MARK: Choices

  /// Somebody changes settings: every switch that was on and is off then counts, but a type not with its category.
  func change(_ user: UserID, _ act: Act, at time: Date) {
    state.withLock { state in
      var person = state.people[user] ?? Person()
      switch act {
      case .all(let isOn):
        if person.isEnabled, !isOn { state.sums.add(to: .unsubscribed, at: place(time)) }
        // A row of the user's comes with the first change of it.
        if person.isEnabled != isOn { person.hasProfile = true }
        person.isEnabled = isOn
      case .choose(let choice, let isOn):
        let former = switchesOn(besides: choice, person)
        person.choices[choice] = isOn
        let gone = former.subtracting(switchesOn(besides: choice, person))
        for switched in gone { count(switched, among: gone, at: time, &state.sums) }
      }
      state.people[user] = person
    }
  }

  /// A backend puts a profile: who has none was never on.
  func putProfile(_ user: UserID, isEnabled: Bool?, at time: Date) {
    state.withLock { state in
      var person = state.people[user] ?? Person()
      let former = person.hasProfile ? person.isEnabled : nil
      person.isEnabled = isEnabled ?? former ?? true
      person.hasProfile = true
      if former == true, !person.isEnabled { state.sums.add(to: .unsubscribed, at: place(time)) }
      state.people[user] = person
    }
  }

  private func count(_ gone: Switch, among all: Set<Switch>, at time: Date, _ sums: inout StatSums) {
    switch gone.subject {
    case .category: sums.add(to: .unsubscribed, at: place(time, channel: gone.channel))
    case .type(let code):
      let whole = Switch(subject: .category(category(of: gone.subject)), channel: gone.channel)
      if !all.contains(whole) { sums.add(to: .unsubscribed, at: place(time, type: code, channel: gone.channel)) }
    }
  }

  /// Those of a category and of its types.
  private func switchesOn(besides choice: Switch, _ person: Person) -> Set<Switch> {
    let category = category(of: choice.subject)
    let subjects = [Subject.category(category)] + (categories[category] ?? []).map { .type($0.code) }
    let all = subjects.flatMap { subject in
      [Channel.inApp, .push, .email].map { Switch(subject: subject, channel: $0) }
    }
    return Set(all.filter { isOn($0, person) })
  }

  /// What was chosen, of a type else its category's, else what the catalogue says: of a category whether any type of it is on.
  private func isOn(_ asked: Switch, _ person: Person) -> Bool {
    if let choice = person.choices[asked] { return choice }
    switch asked.subject {
    case .type(let code):
      return person.choices[Switch(subject: .category(category(of: asked.subject)), channel: asked.channel)]
        ?? types[code]?.channels[asked.channel] ?? false
    case .category(let name): return categories[name]?.contains { $0.channels[asked.channel] == true } ?? false
    }
  }

  private func category(of subject: Subject) -> String {
    switch subject {
    case .type(let code): types[code]?.category ?? ""
    case .category(let name): name
    }
  }

  // MARK: Devices

  /// A device that is known keeps its answers, whoever has it.
  func register(_ device: DeviceID, of user: UserID) {
    state.withLock { $0.devices[device, default: Device(owner: user)].owner = user }
  }

  func remove(_ device: DeviceID) { state.withLock { $0.devices[device] = nil } }

  /// Each answer counts the first time.
  func answer(_ answer: DevicePermission, on device: DeviceID, at time: Date) {
    state.withLock { state in
      guard state.devices[device]?.answers.insert(answer).inserted == true else { return }
      let column: StatSums.Column =
        switch answer {
        case .requested: .asked
        case .granted: .granted
        case .denied: .denied
        }
      state.sums.add(to: column, at: place(time, channel: .push))
    }
  }

  // MARK: Erasing

  /// What was counted stays counted.
  func erase(_ user: UserID) {
    state.withLock { state in
      state.people[user] = nil
      state.devices = state.devices.filter { $0.value.owner != user }
    }
  }

  private func place(_ time: Date, type: Int = 0, channel: Channel? = nil) -> StatSums.Place {
    let day = Int((time.timeIntervalSince1970 / 86_400).rounded(.down))
    return StatSums.Place(day: day, type: type, channel: channel?.rawValue ?? 0)
  }
}
