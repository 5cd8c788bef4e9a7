/// The type of a field in FCM's message, as protobuf's JSON mapping reads it.
indirect enum FCMField: Sendable {
  case string
  case boolean
  case integer
  case number
  /// `3.5s`.
  case duration
  /// RFC 3339.
  case timestamp
  case enumeration(Set<String>)
  /// An object whose values are strings.
  case stringMap
  /// Any object.
  case freeForm
  case list(FCMField)
  case message([String: FCMField])
}
