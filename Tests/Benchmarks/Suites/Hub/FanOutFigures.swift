/// What one server needs for its clients and how fast it reaches them.
struct FanOutFigures: Sendable {
  var idle = Idle()
  var connects = Connects()
  var delivery = Delivery()
  var saturation = Saturation()

  struct Idle: Sendable {
    /// Kilobytes of resident memory for each connection.
    var kilobytes = 0.0
    /// Of processor time each second for each connection.
    var microseconds = 0.0
  }

  struct Connects: Sendable {
    var perSecond = 0.0
    /// Of the server's processor time.
    var microsecondsEach = 0.0
  }

  struct Delivery: Sendable {
    /// From publishing to the last client.
    var toLast = Latencies([])
    /// From publishing to each client.
    var toEach = Latencies([])
  }

  struct Saturation: Sendable {
    var perSecond = 0.0
    /// Of the server's processor time.
    var microsecondsEach = 0.0
  }
}
