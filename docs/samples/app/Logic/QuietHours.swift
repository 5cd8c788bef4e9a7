import BelfryClient

/// When pushes wait, every day: two times in minutes after midnight, by the clocks in the user's zone.
///
/// They are never the same: the server refuses that.
struct QuietHours: Sendable, Equatable {
  /// Minutes of a day.
  static let day = 1_440
  /// What the bar's handles snap to.
  static let step = 15
  /// What is offered to those who never had any.
  static let usual = QuietHours(start: 22 * 60, end: 7 * 60)

  private(set) var start: Int
  private(set) var end: Int

  /// What the bar's handles move.
  enum Edge: String, Sendable, CaseIterable {
    case start, end
  }

  /// Any minutes; those of other days count as the same time of this one.
  init(start: Int, end: Int) {
    self.start = Self.wrap(start)
    self.end = Self.wrap(end)
    if self.end == self.start { self.end = Self.wrap(start + Self.step) }
  }

  /// What the user has; nil where there are no times yet.
  init?(_ preferences: Preferences) {
    guard let start = preferences.quietHoursStart.flatMap(Self.minute),
      let end = preferences.quietHoursEnd.flatMap(Self.minute), start != end
    else { return nil }
    self.init(start: start, end: end)
  }

  subscript(edge: Edge) -> Int {
    switch edge {
    case .start: start
    case .end: end
    }
  }

  var isAcrossMidnight: Bool { start > end }

  /// In minutes, at least 1.
  var length: Int { Self.wrap(end - start) }

  /// With the start, without the end.
  func contains(_ minute: Int) -> Bool { Self.wrap(minute - start) < length }

  // MARK: Changing

  /// Moves an edge to the nearest step; where the other edge is it stays.
  mutating func move(_ edge: Edge, to minute: Int) {
    let snapped = Self.wrap((Self.wrap(minute) + Self.step / 2) / Self.step * Self.step)
    switch edge {
    case .start where snapped != end: start = snapped
    case .end where snapped != start: end = snapped
    case .start, .end: break
    }
  }

  /// Moves an edge by a step, around midnight too, and over the other edge; one that is between two steps goes to the next.
  mutating func adjust(_ edge: Edge, forward: Bool) {
    let (minute, other) = (self[edge], edge == .start ? end : start)
    var next = forward ? minute / Self.step + 1 : (minute + Self.step - 1) / Self.step - 1
    if Self.wrap(next * Self.step) == other { next += forward ? 1 : -1 }
    move(edge, to: next * Self.step)
  }

  // MARK: The wire's form

  /// `HH:mm`, as the server takes it.
  func wireText(_ edge: Edge) -> String {
    let (hour, minute) = (self[edge] / 60, self[edge] % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// Of `HH:mm` or `HH:mm:ss`; nil for anything else.
  static func minute(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { 48...57 ~= $0 } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  private static func wrap(_ minute: Int) -> Int { (minute % day + day) % day }
}
