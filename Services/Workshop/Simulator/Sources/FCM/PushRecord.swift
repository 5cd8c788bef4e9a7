/// An accepted push.
struct PushRecord: LogRecord {
  let sequence: Int
  /// Milliseconds since 1970.
  let receivedAt: Int64
  let message: PushMessage
  /// The message's JSON as it came.
  let json: [UInt8]
  /// Whether its device got the notification before.
  var repetition = DuplicateTracker.Repetition.none

  var byteCount: Int { json.count + 256 }

  /// Like FCM's `0:1500415314455276%31bd1c9631bd1c96`.
  var messageID: String { "0:\(receivedAt)%\(sequence)" }
}
