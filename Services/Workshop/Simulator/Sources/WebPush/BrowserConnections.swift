import Cryptography
import Foundation
import BelfryJSON
import Synchronization

/// Real browsers, as Mozilla's: they subscribe and get their pushes by the protocol `push-notification`, over WebSocket.
///
/// A browser is known by its `uaid`, which it brings when it comes back; until then its pushes wait.
final class BrowserConnections: Sendable {
  /// Bytes of a message of a browser, however many frames it has.
  static let maximumMessage = 16 * 1_024
  /// Connected at a time.
  static let maximumConnections = 100
  /// The one that left first is forgotten for another.
  static let maximumBrowsers = 1_000
  /// Of one browser: each is a subscription.
  static let maximumChannels = 1_000
  /// Pushes to one browser that it has not acknowledged; the oldest are dropped.
  static let maximumWaiting = 100

  /// A browser's connection.
  ///
  /// Both functions return before anything happens: they are called while nothing else may be.
  final class Link: Sendable {
    fileprivate let send: @Sendable ([UInt8]) -> Void
    fileprivate let close: @Sendable () -> Void

    init(send: @escaping @Sendable ([UInt8]) -> Void, close: @escaping @Sendable () -> Void) {
      self.send = send
      self.close = close
    }
  }

  private struct Browser {
    /// Nil while it is away.
    var link: Link?
    /// By id.
    var channels: [String: Channel] = [:]
    var waiting: [Waiting] = []
    /// Grows with each that leaves.
    var left = 0
  }

  private struct Channel {
    let subscription: String
    let serverKey: String?
  }

  private struct Waiting {
    let channel: String
    let version: String
    let topic: String?
    /// Seconds since 1970.
    let expiry: Double
    let message: [UInt8]
  }

  private struct State {
    var browsers: [String: Browser] = [:]
    /// Whose a connection is, once it has said so.
    var names: [ObjectIdentifier: String] = [:]
    /// Browser and channel of each subscription.
    var owners: [String: (browser: String, channel: String)] = [:]
    var departures = 0
  }

  private let subscriptions: WebPushSubscriptions
  private let log: WebPushLog
  private let state = Mutex(State())

  init(subscriptions: WebPushSubscriptions, log: WebPushLog) {
    self.subscriptions = subscriptions
    self.log = log
  }

  // MARK: What a browser says

  /// Takes a message of a browser, and answers it.
  ///
  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - endpoint: Where a subscription's pushes are sent; nil while the push service does not listen.
  func receive(_ bytes: [UInt8], on link: Link, now: Double, endpoint: (String) -> String?) {
    guard let message = try? JSONParser.parse(bytes), let members = message.members else { return link.close() }
    // A ping, in its short form and its long one.
    guard !members.isEmpty, message["messageType"]?.string != "ping" else { return link.send(Array("{}".utf8)) }
    state.withLock { state in
      let name = state.names[ObjectIdentifier(link)]
      switch (message["messageType"]?.string, name) {
      case ("hello", nil): hello(message, link, now, &state)
      case ("register", let name?): register(message, name, link, endpoint, &state)
      case ("unregister", let name?): unregister(message, name, link, &state)
      case ("ack", let name?): acknowledge(message, name, &state)
      // Who greets twice, or does not at first, does not speak the protocol.
      case ("hello", _), (nil, _), (_, nil): link.close()
      // What the simulator has no use for, as a subscription to broadcasts.
      default: break
      }
    }
  }

  /// The connection has ended.
  func ended(_ link: Link) {
    state.withLock { state in
      guard let name = state.names.removeValue(forKey: ObjectIdentifier(link)) else { return }
      guard state.browsers[name]?.link === link else { return }
      state.departures += 1
      state.browsers[name]?.link = nil
      state.browsers[name]?.left = state.departures
    }
  }

  private func hello(_ message: JSONValue, _ link: Link, _ now: Double, _ state: inout State) {
    // Who comes with an unknown name, or none, gets one, and knows by it that its subscriptions have ended.
    let known = message["uaid"]?.string.flatMap { state.browsers[$0] == nil ? nil : $0 }
    let name = known ?? UUID().uuidString.lowercased().replacing("-", with: "")
    if known == nil {
      if state.browsers.count >= Self.maximumBrowsers { forgetOne(&state) }
      state.browsers[name] = Browser()
    }
    if let other = state.browsers[name]?.link {
      state.names[ObjectIdentifier(other)] = nil
      other.close()
    }
    state.names[ObjectIdentifier(link)] = name
    state.browsers[name]?.link = link
    link.send(
      Self.message("hello") { writer in
        writer.field("status", 200)
        writer.field("uaid", name)
        writer.field("use_webpush", true)
        writer.object("broadcasts") { _ in }
      }
    )
    state.browsers[name]?.waiting.removeAll { $0.expiry <= now }
    for waiting in state.browsers[name]?.waiting ?? [] { link.send(waiting.message) }
  }

  private func register(
    _ message: JSONValue,
    _ name: String,
    _ link: Link,
    _ endpoint: (String) -> String?,
    _ state: inout State
  ) {
    guard let channel = message["channelID"]?.string, UUID(uuidString: channel) != nil else { return link.close() }
    func answer(_ status: Int, _ endpoint: String? = nil) {
      link.send(
        Self.message("register") { writer in
          writer.field("status", status)
          writer.field("channelID", channel)
          writer.optionalField("pushEndpoint", endpoint)
        }
      )
    }
    let key: String?
    switch Self.serverKey(message["key"]) {
    case .success(let found): key = found
    case .failure: return answer(400)
    }
    if let known = state.browsers[name]?.channels[channel] {
      if known.serverKey == key, subscriptions[known.subscription]?.isGone == false {
        return answer(200, endpoint(known.subscription))
      }
      end(channel, of: name, &state)
    }
    guard state.browsers[name].map({ $0.channels.count < Self.maximumChannels }) == true,
      let subscription = subscriptions.makeUnreadable(for: key), let address = endpoint(subscription.id)
    else { return answer(500) }
    state.browsers[name]?.channels[channel] = Channel(subscription: subscription.id, serverKey: key)
    state.owners[subscription.id] = (name, channel)
    answer(200, address)
  }

  private func unregister(_ message: JSONValue, _ name: String, _ link: Link, _ state: inout State) {
    guard let channel = message["channelID"]?.string, UUID(uuidString: channel) != nil else { return link.close() }
    end(channel, of: name, &state)
    link.send(
      Self.message("unregister") { writer in
        writer.field("status", 200)
        writer.field("channelID", channel)
      }
    )
  }

  private func acknowledge(_ message: JSONValue, _ name: String, _ state: inout State) {
    for update in message["updates"]?.array ?? [] {
      guard let (channel, version) = Self.pair(update),
        let place = state.browsers[name]?.waiting.firstIndex(where: { $0.channel == channel && $0.version == version })
      else { continue }
      state.browsers[name]?.waiting.remove(at: place)
      log.acknowledge(update["code"]?.integer ?? 100)
    }
  }

  // MARK: What a browser is told

  /// Hands a push to the browser whose subscription it is for: at once if it is there, else when it comes back.
  ///
  /// - Parameters:
  ///   - version: The message's id.
  ///   - now: Seconds since 1970.
  func hand(_ push: WebPush, version: String, now: Double) {
    state.withLock { state in
      guard let (name, channel) = state.owners[push.subscription], var browser = state.browsers[name] else { return }
      // Who is away does not get what is of use only now (RFC 8030, section 5.2).
      if browser.link == nil, push.ttl == 0 { return }
      let message = Self.message("notification") { writer in
        writer.field("channelID", channel)
        writer.field("version", version)
        writer.field("ttl", push.ttl)
        guard !push.body.isEmpty else { return }
        writer.object("headers") { $0.field("encoding", "aes128gcm") }
        writer.field("data", Base64URL.encode(push.body))
      }
      // It takes the place of what waits with the same topic (RFC 8030, section 5.4).
      if let topic = push.topic { browser.waiting.removeAll { $0.channel == channel && $0.topic == topic } }
      if browser.waiting.count >= Self.maximumWaiting { browser.waiting.removeFirst() }
      browser.waiting.append(
        Waiting(channel: channel, version: version, topic: push.topic, expiry: now + Double(push.ttl), message: message)
      )
      state.browsers[name] = browser
      browser.link?.send(message)
    }
  }

  // MARK: Parts

  private func end(_ channel: String, of name: String, _ state: inout State) {
    guard let ended = state.browsers[name]?.channels.removeValue(forKey: channel) else { return }
    state.browsers[name]?.waiting.removeAll { $0.channel == channel }
    state.owners[ended.subscription] = nil
    subscriptions.end(ended.subscription)
  }

  /// Forgets the browser that left first: fewer may be connected than may be known.
  private func forgetOne(_ state: inout State) {
    guard let oldest = state.browsers.filter({ $0.value.link == nil }).min(by: { $0.value.left < $1.value.left })
    else { return }
    for channel in oldest.value.channels.keys { end(channel, of: oldest.key, &state) }
    state.browsers[oldest.key] = nil
  }

  private static func serverKey(_ value: JSONValue?) -> Result<String?, CryptographyError> {
    guard let value, value != .null else { return .success(nil) }
    // Some browsers pad; senders do not.
    guard let text = value.string.map({ String($0.prefix { $0 != "=" }) }), let point = Base64URL.bytes(text.utf8),
      (try? PublicKey(p256: point)) != nil
    else { return .failure(.invalidKey("no key on P-256")) }
    return .success(text)
  }

  private static func pair(_ update: JSONValue) -> (channel: String, version: String)? {
    guard let channel = update["channelID"]?.string, let version = update["version"]?.string else { return nil }
    return (channel, version)
  }

  private static func message(_ type: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("messageType", type)
      body(&writer)
    }
    return writer.bytes
  }
}
