/// How many connections and streams a multi handle uses.
struct CurlLimits: Sendable {
  var connectionsPerHost: Int
  var streamsPerConnection: Int

  /// Connections kept open, idle ones included.
  var cachedConnections: Int
}
