import Synchronization

/// Notes when each notification arrived, by its id.
final class NotificationArrivals: ArrivalSink {
  private let times = Mutex<[String: Int64]>([:])

  func take(_ message: UnsafeRawBufferPointer, client: Int, at now: Int64) {
    let whole = 0..<message.count
    guard let target = ByteSearch.find("\"ReceiveNotification\"", in: message, whole),
      let mark = ByteSearch.find("\"id\":\"", in: message, target..<message.count), mark + 42 <= message.count
    else { return }
    let id = String(decoding: message[mark + 6..<mark + 42], as: UTF8.self)
    times.withLock { $0[id] = now }
  }

  /// Notifications received so far.
  var count: Int { times.withLock { $0.count } }

  /// When each arrived; forgets them.
  func takeAll() -> [String: Int64] {
    times.withLock { times in
      defer { times = [:] }
      return times
    }
  }
}
