public import Foundation

/// How far the app is with asking for permission, when that was, and what was answered. Knows no system and no clock.
///
/// ```
/// notAsked ─primed─▶ primed ─asked─▶ asked ─▶ granted | denied
///    │                  └─postponed─▶ notAsked        (later, in Settings: granted ◀─▶ denied)
///    └─askedQuietly─▶ asked ─▶ provisional ─primed─▶ primed …
/// ```
public struct PermissionRecord: Sendable, Equatable, Codable {
  public enum State: String, Sendable, Codable, CaseIterable {
    case notAsked
    /// The app's own words are, or were, on the screen.
    case primed
    /// The system's question is on the screen.
    case asked
    case granted, denied
    /// Notifications come quietly; the user was not asked.
    case provisional
  }

  enum Event: Sendable, Equatable {
    case primed
    /// The user does not want to be asked now.
    case postponed
    case asked
    case askedQuietly
    /// What the system says.
    case system(SystemPermission)
  }

  public private(set) var state = State.notAsked
  /// When the app's own words were shown last.
  public private(set) var primedAt: Date?
  /// When the user said "not now" to them last, and how often that was: ask again later, and not for ever.
  public private(set) var postponedAt: Date?
  public private(set) var postponements = 0
  /// When the system asked.
  public private(set) var askedAt: Date?
  /// Since when ``state`` is `granted`, `denied` or `provisional`.
  public private(set) var answeredAt: Date?
  private var isProvisional = false

  public init() {}

  /// Whether the app may show its own words: the system asks once, so whoever has answered is not asked again.
  public var canPrime: Bool { state == .notAsked || state == .provisional || state == .primed }

  /// Takes what happened; false, and nothing changes, if it cannot happen now.
  mutating func take(_ event: Event, now: Date) -> Bool {
    switch event {
    case .primed:
      guard canPrime else { return false }
      isProvisional = isProvisional || state == .provisional
      (state, primedAt) = (.primed, now)
    case .postponed:
      guard state == .primed else { return false }
      state = isProvisional ? .provisional : .notAsked
      (postponedAt, postponements) = (now, postponements + 1)
    case .asked:
      guard state == .primed else { return false }
      (state, askedAt) = (.asked, now)
    case .askedQuietly:
      guard state == .notAsked else { return false }
      (state, askedAt) = (.asked, now)
    case .system(let permission): observe(permission, now: now)
    }
    return true
  }

  private mutating func observe(_ permission: SystemPermission, now: Date) {
    switch permission {
    case .authorized, .ephemeral: answer(.granted, now)
    case .denied: answer(.denied, now)
    case .provisional:
      isProvisional = true
      // Its own words may be on the screen.
      if state != .primed { answer(.provisional, now) }
    case .notDetermined:
      isProvisional = false
      // Never answered: the app was ended meanwhile, or was installed anew.
      if state != .primed { state = .notAsked }
    }
  }

  private mutating func answer(_ answer: State, _ now: Date) {
    if answer != .provisional { isProvisional = false }
    if state != answer { (state, answeredAt) = (answer, now) }
  }
}
