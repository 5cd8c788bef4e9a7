public import Foundation

/// Where Belfry is, and how the client reaches it.
public struct BelfryConfiguration: Sendable {
  /// The gateway's address, with a path where a proxy has it below one.
  public var gateway: URL
  /// The hub's address; nil: the gateway is asked for it.
  public var hub: URL?
  /// Where caches lie, in an app group if an extension needs them; nil: nothing is kept on disk.
  public var cacheDirectory: URL?
  /// Keeps the newest notifications; nil: files in ``cacheDirectory``, if that is set.
  public var cache: (any NotificationCache)?
  /// How long things take and wait.
  public var timing: ClientTiming
  /// Carries requests.
  public var http: any HTTPTransport
  /// Carries the live connection.
  public var live: any LiveTransport
  /// Tells the time, and waits.
  public var clock: any ClientClock

  /// What is left out is the default, as each property says.
  public init(
    gateway: URL,
    hub: URL? = nil,
    cacheDirectory: URL? = nil,
    cache: (any NotificationCache)? = nil,
    timing: ClientTiming = ClientTiming(),
    http: (any HTTPTransport)? = nil,
    live: (any LiveTransport)? = nil,
    clock: any ClientClock = SystemClock()
  ) {
    self.gateway = gateway
    self.hub = hub
    self.cacheDirectory = cacheDirectory
    self.cache = cache
    self.timing = timing
    self.http = http ?? URLSessionTransport()
    self.live = live ?? defaultLiveTransport()
    self.clock = clock
  }
}

/// How long things take and wait.
public struct ClientTiming: Sendable, Equatable {
  /// How long a deletion can be undone.
  public var undo: Duration = .seconds(5)
  /// How long seen notifications are collected for one call.
  public var seen: Duration = .seconds(1)
  /// After what did not fit together, how long until the server is asked: this, up to twice as long.
  public var verify: Duration = .seconds(3)
  /// Behind other apps, how long until the connection is let go.
  public var behind: Duration = .seconds(15)
  /// The longest time for a request.
  public var request: Duration = .seconds(15)
  /// The longest time for the app's token closure.
  public var token: Duration = .seconds(30)
  /// How often the hub is told that the client is there.
  public var ping: Duration = .seconds(15)
  /// After how long without a word the connection counts as lost.
  public var silence: Duration = .seconds(30)
  /// The longest first pause between two attempts; it doubles with each.
  public var retryMinimum: Duration = .seconds(1)
  /// The longest pause during the first ten attempts.
  public var retryMaximum: Duration = .seconds(30)
  /// The longest pause after ten attempts.
  public var retryLong: Duration = .seconds(300)
  /// How long a connection has to last until attempts are counted anew.
  public var steady: Duration = .seconds(30)
  /// How long changes are collected before they are reported.
  public var collect: Duration = .milliseconds(16)

  /// The default of each.
  public init() {}
}
