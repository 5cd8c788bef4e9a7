/// Quiet hours as a bar of 24 hours: where things are on it, and what a finger on it means.
///
/// Midnight is at both ends: a start at 00:00 is on the left, an end at 00:00 on the right.
struct QuietHoursBar: Sendable, Equatable {
  /// In points, more than 0.
  let width: Double

  init(width: Double) {
    self.width = max(width, 1)
  }

  /// A filled part of the bar, in points.
  struct Part: Sendable, Hashable {
    let start: Double
    let end: Double

    var width: Double { end - start }
  }

  /// An hour that is written below the bar.
  struct Mark: Sendable, Hashable, Identifiable {
    let hour: Int
    let position: Double

    var id: Int { hour }
  }

  /// What is quiet: one part, or two across midnight.
  func parts(_ hours: QuietHours) -> [Part] {
    let (start, end) = (position(.start, of: hours), position(.end, of: hours))
    return start < end
      ? [Part(start: start, end: end)] : [Part(start: 0, end: end), Part(start: start, end: width)]
  }

  func position(_ edge: QuietHours.Edge, of hours: QuietHours) -> Double {
    let minute = edge == .end && hours.end == 0 ? QuietHours.day : hours[edge]
    return Double(minute) / Double(QuietHours.day) * width
  }

  /// The edge that a finger takes which comes down there: the nearer one.
  func edge(near position: Double, of hours: QuietHours) -> QuietHours.Edge {
    abs(position - self.position(.start, of: hours)) < abs(position - self.position(.end, of: hours)) ? .start : .end
  }

  /// Moves an edge to a finger, not over the bar's ends: it would come out at the other one.
  func drag(_ edge: QuietHours.Edge, to position: Double, of hours: QuietHours) -> QuietHours {
    guard position.isFinite else { return hours }
    let last = QuietHours.day - QuietHours.step
    let range = edge == .start ? 0...last : QuietHours.step...QuietHours.day
    let share = min(max(position / width, 0), 1)
    let minute = Int((share * Double(QuietHours.day)).rounded())
    var moved = hours
    moved.move(edge, to: min(max(minute, range.lowerBound), range.upperBound))
    return moved
  }

  /// Every six hours, both midnights with them.
  var marks: [Mark] {
    stride(from: 0, through: 24, by: 6).map { Mark(hour: $0, position: Double($0) / 24 * width) }
  }
}
