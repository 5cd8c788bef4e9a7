public import Foundation
public import Observation

/// The user's preferences for SwiftUI: what is chosen is shown at once, and sent in order.
///
/// When the user signs out everything is empty: ``load()`` reads the next one's.
///
/// Channels can be switched for everything, for a category, or for a type; for each channel the nearest choice counts.
@MainActor
@Observable
public final class PreferencesModel {
  /// Nil until they were read.
  public private(set) var preferences: Preferences?
  /// What must not disturb.
  public private(set) var mutes: [MutedEntity] = []
  /// Whether they are being read.
  public private(set) var isLoading = false
  /// How many changes are on their way.
  public private(set) var saving = 0
  /// Why they could not be read, or the last change was taken back.
  public private(set) var error: BelfryError?

  @ObservationIgnored private let client: BelfryClient
  @ObservationIgnored private let lifetime = Lifetime()
  /// Whose they are.
  @ObservationIgnored private weak var owner: UserSession?
  @ObservationIgnored private var last: Task<Void, Never>?

  /// Reads nothing until ``load()``.
  public init(_ client: BelfryClient) {
    self.client = client
    lifetime.run { [weak self] in await client.eachSignOut { [weak self] in await self?.clear() } }
  }

  /// Reads preferences and mutes.
  public func load() async {
    isLoading = true
    defer { isLoading = false }
    let session = client.session
    do {
      let (read, muted) = try await (session.rest.getPreferences(), session.rest.listMutes())
      guard session === client.session else { return }
      owner = session
      // What is on its way is newer.
      if saving == 0 { preferences = read }
      mutes = muted
      error = nil
    } catch {
      take(error, of: session)
    }
  }

  // MARK: Channels

  /// The master switch: off silences everything, the inbox included.
  public func setNotificationsEnabled(_ value: Bool) async {
    await save {
      $0.notificationsEnabled = value
    } showing: {
      $0.notificationsEnabled = value
    }
  }

  /// Switches a channel for everything.
  public func set(_ channel: Channel, _ value: Bool) async {
    guard let preferences else { return }
    await set(channel, value, categories: preferences.categories.map(\.category))
  }

  /// Switches a channel for all types of a category.
  public func set(_ channel: Channel, _ value: Bool, category: String) async {
    await set(channel, value, categories: [category])
  }

  /// Switches a channel for a type, by its code.
  public func set(_ channel: Channel, _ value: Bool, type: Int) async {
    await save {
      $0.types[type] = channel.switches(value)
    } showing: { preferences in
      for index in preferences.types.indices where preferences.types[index].type == type {
        preferences.types[index].switches[keyPath: channel.path] = value
      }
    }
  }

  private func set(_ channel: Channel, _ value: Bool, categories: [String]) async {
    await save { update in
      for category in categories { update.categories[category] = channel.switches(value) }
    } showing: { preferences in
      for index in preferences.categories.indices where categories.contains(preferences.categories[index].category) {
        preferences.categories[index].switches[keyPath: channel.path] = value
      }
      for index in preferences.types.indices where categories.contains(preferences.types[index].category) {
        preferences.types[index].switches[keyPath: channel.path] = value
      }
    }
  }

  /// A way in which notifications come.
  public enum Channel: String, Sendable, CaseIterable {
    /// Into the notification centre and live, to phones and browsers, to the mailbox.
    case inApp, push, email

    fileprivate var path: WritableKeyPath<Preferences.Switches, Bool> {
      switch self {
      case .inApp: \.inApp
      case .push: \.push
      case .email: \.email
      }
    }

    fileprivate func switches(_ value: Bool) -> PreferencesUpdate.Switches {
      switch self {
      case .inApp: PreferencesUpdate.Switches(inApp: value)
      case .push: PreferencesUpdate.Switches(push: value)
      case .email: PreferencesUpdate.Switches(email: value)
      }
    }
  }

  // MARK: Other settings

  /// Whether pushes make a sound.
  public func setSoundEnabled(_ value: Bool) async {
    await save {
      $0.soundEnabled = value
    } showing: {
      $0.soundEnabled = value
    }
  }

  /// Whether pushes set the app's badge.
  public func setBadgeEnabled(_ value: Bool) async {
    await save {
      $0.badgeEnabled = value
    } showing: {
      $0.badgeEnabled = value
    }
  }

  /// One of the catalogue's settings; nil is its default.
  public func setSetting(_ name: String, _ value: Double?) async {
    await save {
      $0.settings[name] = value.map { .set($0) } ?? .cleared
    } showing: {
      $0.settings[name] = value
    }
  }

  /// An IANA zone; nil is the deployment's.
  public func setTimezone(_ zone: String?) async {
    await save {
      $0.timezone = zone.map { .set($0) } ?? .cleared
    } showing: {
      $0.timezone = zone
    }
  }

  /// No pushes until a time, at most a year ahead; nil ends the pause.
  public func pause(until date: Date?) async {
    await save {
      $0.pausedUntil = date.map { .set($0) } ?? .cleared
    } showing: {
      $0.pausedUntil = date
    }
  }

  /// No pushes between two times of the user's day.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether there are quiet hours.
  ///   - start: `HH:mm`, as the clocks in the user's zone show it; nil stays as it is.
  ///   - end: The same; it may be on the next day.
  ///   - timezone: An IANA zone; nil stays as it is.
  public func setQuietHours(
    _ isEnabled: Bool,
    start: String? = nil,
    end: String? = nil,
    timezone: String? = nil
  ) async {
    let update = QuietHoursUpdate(isEnabled: isEnabled, start: start, end: end, timezone: timezone)
    await send {
      try await $0.updateQuietHours(update)
    } showing: { preferences in
      preferences.quietHoursEnabled = isEnabled
      preferences.quietHoursStart = start ?? preferences.quietHoursStart
      preferences.quietHoursEnd = end ?? preferences.quietHoursEnd
      preferences.timezone = timezone ?? preferences.timezone
    }
  }

  // MARK: Mutes

  /// No push and no mail about it until a time; nil is for good.
  public func mute(_ entity: RelatedEntity, until: Date? = nil) async {
    await changeMutes { try await $0.muteEntity(entity, until: until) }
  }

  /// It may disturb again.
  public func unmute(_ entity: RelatedEntity) async {
    await changeMutes { try await $0.unmuteEntity(entity) }
  }

  private func changeMutes(_ change: @Sendable (RESTClient) async throws -> Void) async {
    let session = client.session
    do {
      try await change(session.rest)
      let muted = try await session.rest.listMutes()
      guard session === client.session else { return }
      owner = session
      mutes = muted
      error = nil
    } catch {
      take(error, of: session)
    }
  }

  // MARK: Saving

  private func save(
    _ change: (inout PreferencesUpdate) -> Void,
    showing show: (inout Preferences) -> Void
  ) async {
    var update = PreferencesUpdate()
    change(&update)
    await send { [update] in
      try await $0.updatePreferences(update)
    } showing: {
      show(&$0)
    }
  }

  /// Shows a change, and sends it after those before. One that fails is taken back by reading anew.
  private func send(
    _ send: @escaping @Sendable (RESTClient) async throws -> Preferences,
    showing show: (inout Preferences) -> Void
  ) async {
    if var shown = preferences {
      show(&shown)
      preferences = shown
    }
    saving += 1
    let (before, session) = (last, client.session)
    let task = Task {
      await before?.value
      let result: Result<Preferences, any Error>
      do { result = .success(try await send(session.rest)) } catch { result = .failure(error) }
      // After a sign-out nothing is counted any more.
      guard session === client.session else { return }
      saving -= 1
      await take(result, session)
    }
    last = task
    await task.value
  }

  private func take(_ result: Result<Preferences, any Error>, _ session: UserSession) async {
    switch result {
    case .success(let answer):
      if saving == 0 { preferences = answer }
      error = nil
    case .failure(let failure):
      take(failure, of: session)
      if saving == 0, let answer = try? await session.rest.getPreferences(), saving == 0, session === client.session {
        preferences = answer
      }
    }
  }

  private func take(_ error: any Error, of session: UserSession) {
    // Who cancels a task knows it.
    if session === client.session, let error = error as? BelfryError { self.error = error }
  }

  /// The user has signed out.
  private func clear() {
    if owner === client.session { return }
    preferences = nil
    mutes = []
    error = nil
    saving = 0
    last = nil
  }
}
