public import BelfryClient
import Foundation
import SignalRProtocol

extension InMemoryServer {
  /// What becomes of a request in place of an answer.
  public enum Fault: Sendable, Hashable {
    /// An answer of another status, with problem details. 429 and 503 say to wait a second unless they say something else.
    case status(Int, retryAfter: Duration? = nil)
    /// 401 for whoever has a token, whatever token it is.
    case unauthorized
    /// This device has no network.
    case offline
    /// No answer in time. The client is told at once.
    case timeout
    /// What was asked is done, but the answer is lost.
    case lostAnswer
    /// A page of somebody else's, as of a captive portal.
    case foreignAnswer
  }

  /// Requests fail until ``recover()``, or as many as are named. A later fault comes before an earlier one.
  ///
  /// - Parameters:
  ///   - count: How many; nil for all from now on.
  ///   - matches: Which requests; nil for all. `unauthorized` concerns only those with a token.
  public func fail(
    next count: Int? = nil,
    with fault: Fault,
    where matches: (@Sendable (HTTPRequest) -> Bool)? = nil
  ) {
    faults.scripted.append(ServedFaults.Scripted(fault: fault, left: count, matches: matches))
  }

  /// Nothing fails any more, the network is back, and answers come at once. Expired tokens stay expired.
  public func recover() {
    faults = ServedFaults()
  }

  /// The line of each connection is cut; clients connect again by themselves.
  public func cutLine(of user: String? = nil) {
    for line in lines.values where user == nil || line.user == user {
      line.queue.end(BelfryError(.unavailable))
      lines[line.number] = nil
    }
    note()
  }

  /// This device has no network: lines are cut, and nothing can be asked.
  public func goOffline() {
    faults.isOffline = true
    cutLine()
  }

  public func goOnline() {
    faults.isOffline = false
    note()
  }

  /// Every token until now is refused, and the hub ends its connections.
  public func expireTokens() {
    tokens.expire()
    for line in lines.values {
      line.say(.close(allowReconnect: true))
      line.queue.end()
    }
    lines = [:]
    note()
  }

  /// How long answers take; one that takes longer than the client waits is a timeout.
  public func delay(_ duration: Duration) {
    faults.delay = duration
  }

  func note() {
    (clock as? TestClock)?.note()
  }
}

/// What goes wrong.
struct ServedFaults: Sendable {
  struct Scripted: Sendable {
    let fault: InMemoryServer.Fault
    var left: Int?
    let matches: (@Sendable (HTTPRequest) -> Bool)?
  }

  var isOffline = false
  var delay = Duration.zero
  var scripted: [Scripted] = []

  /// The fault of a request, which counts as used.
  mutating func take(_ request: HTTPRequest) -> InMemoryServer.Fault? {
    let index = scripted.lastIndex { entry in
      if entry.fault == .unauthorized, request.header("Authorization") == nil { return false }
      return entry.left != 0 && entry.matches?(request) ?? true
    }
    guard let index else { return nil }
    let fault = scripted[index].fault
    if let left = scripted[index].left {
      scripted[index].left = left - 1
      if left <= 1 { scripted.remove(at: index) }
    }
    return fault
  }
}
