import BelfryJSON
import WallClock

extension RuleReminder {
  static let dayKeys: Set = ["due", "time", "offsets", "lateness"]
  static let instantKeys: Set = ["at", "before"]

  /// `{ due, time, offsets, lateness? }` around a date, or `{ at, before? }` around an instant.
  init(_ reader: FormReader) throws(RuleError) {
    guard try reader.names().contains("at") else {
      try reader.refuseUnknown(Self.dayKeys)
      let lateness = try reader.reader("lateness").map { reader throws(RuleError) in
        try reader.converted("a duration like PT6H, at most 31 days", ElapsedTime.init)
      }
      let due = reader.part { () throws(RuleError) in try reader.required("due").payloadPath() }
      let time = reader.part { () throws(RuleError) in
        try reader.required("time").converted("a time like 09:00", LocalTime.init)
      }
      let offsets = reader.part { () throws(RuleError) in try Self.offsets(reader.required("offsets")) }
      guard let due, let time, let offsets else { throw reader.reported }
      self = .days(due: due, time: time, offsets: offsets, lateness: lateness ?? Self.defaultLateness)
      return
    }
    try reader.refuseUnknown(Self.instantKeys)
    self = .instant(
      at: try reader.required("at").payloadPath(),
      before: try reader.reader("before").map { reader throws(RuleError) in try Before(reader) }
    )
  }

  private static func offsets(_ reader: FormReader) throws(RuleError) -> [DayOffset] {
    guard reader.value.array != nil else { throw reader.error("expected a list of days like -P7D") }
    var offsets: [DayOffset] = []
    for element in try reader.elements(atMost: maximumOffsets) {
      let offset = try element.converted("days like -P7D", DayOffset.init)
      guard (-366...366).contains(offset.days) else { throw element.error("expected at most 366 days") }
      offsets.append(offset)
    }
    guard Set(offsets).count == offsets.count else { throw reader.error("has the same offset twice") }
    return offsets.sorted()
  }
}

extension RuleReminder.Before {
  static let keys: Set = ["value", "else"]

  /// `PT30M`, or `{ value: remindBefore, else: PT30M }`.
  fileprivate init(_ reader: FormReader) throws(RuleError) {
    let expected = "a duration like PT30M, at most 31 days"
    guard reader.value.members != nil else {
      self.init(member: nil, otherwise: try reader.converted(expected, ElapsedTime.init))
      return
    }
    try reader.refuseUnknown(Self.keys)
    self.init(
      member: try reader.required("value").payloadPath(),
      otherwise: try reader.required("else").converted(expected, ElapsedTime.init)
    )
  }
}
