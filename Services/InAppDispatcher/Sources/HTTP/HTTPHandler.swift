import Authentication
import Logging
import NIOCore
import NIOHTTP1
import NotificationModel
import ServiceRuntime

/// Answers the requests of one HTTP connection until it becomes a WebSocket or an event stream, or ends.
///
/// `HTTPServerPipelineHandler` before it hands out one request at a time, so the state below is that of one request.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler, HTTPConnection {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// What an HTTP connection is doing.
  private enum Activity {
    case idle
    /// The head has come. Its token is checked at once: who has none cannot make the hub keep a body.
    case receiving(HTTPRequestHead)
    case answering(HTTPRequestHead)
    /// A GET of long polling that waits for something to send.
    case polling(HTTPRequestHead, ConnectionID, HubLoop)
  }

  let http: HTTPContext
  let loop: HubLoop
  private(set) var context: ChannelHandlerContext?
  /// By which the connection is counted, until it shows a token.
  private var network: ClientNetwork?
  private var activity = Activity.idle
  /// What the path of the current request, or of the last one, means.
  private var route: HubRoute?
  /// The connection speaks HTTP no more, though this handler may be there for a moment.
  var hasSwitched = false
  private var body: [UInt8] = []
  /// Whether the body is longer than is taken; ``body`` is its beginning then.
  private(set) var isBodyTooLong = false
  /// By which a body that has begun to come is counted, once its user is known.
  private var incoming: (user: UserID, size: Int)?
  /// Whether the client sends its body only when it is told to go on.
  private var awaitsContinue = false
  /// What is done when all of the request has come.
  private var whenReceived: (() -> Void)?
  /// When the current request, or the wait for one, began.
  private var waitingSince = NIODeadline.now()

  init(_ http: HTTPContext, loop: HubLoop) {
    self.http = http
    self.loop = loop
  }

  var hub: HubContext { http.hub }

  var registry: ConnectionRegistry { loop.registry.value }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    // Connections that ask for nothing are limited too.
    if registry.requestCount >= hub.limits.maximumConnections { return context.close(promise: nil) }
    registry.add(self)
  }

  func channelActive(context: ChannelHandlerContext) {
    defer { context.fireChannelActive() }
    // Behind a proxy all have the same address.
    guard !hub.limits.trustsForwardedFor else { return }
    let network = ClientNetwork(context.remoteAddress)
    guard hub.directory.admitUnauthenticated(from: network) else {
      hub.statistics.count(.refused)
      return context.close(promise: nil)
    }
    self.network = network
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    registry.remove(self)
    countNoLonger()
    countBodyNoLonger()
    if case .polling(_, let id, let loop) = activity {
      let request = ObjectIdentifier(self)
      loop.with(id) { $0.cancelPoll(for: request) }
    }
  }

  /// The client has shown a valid token, or the connection has ended: it is no stranger any more.
  private func countNoLonger() {
    if let network { hub.directory.endUnauthenticated(from: network) }
    network = nil
  }

  /// All of the body has come, the request has been answered without it, or the connection has ended.
  private func countBodyNoLonger() {
    if let incoming { hub.directory.endReceiving(incoming.size, from: incoming.user) }
    incoming = nil
  }

  func close() {
    context?.close(promise: nil)
  }

  func closeIfIdle() {
    if case .idle = activity { close() }
  }

  func tick(at now: NIODeadline, timeout: TimeAmount) {
    switch activity {
    case .idle, .receiving: if now - waitingSince > timeout { close() }
    case .answering, .polling: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Broken HTTP or a lost connection: there is nobody to tell.
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasSwitched else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      activity = .receiving(head)
      body = []
      isBodyTooLong = false
      awaitsContinue =
        head.version != .http1_0 && head.headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
      waitingSince = .now()
      respond(to: head)
    case .body(let part):
      guard case .receiving = activity else { return }
      awaitsContinue = false
      body.append(contentsOf: part.readableBytesView)
      isBodyTooLong = body.count > hub.limits.maximumBodySize
      if isBodyTooLong { endReceiving() } else { countGrowth() }
    case .end:
      endReceiving()
    }
  }

  private func endReceiving() {
    // The hub may have answered the request before its end.
    guard case .receiving(let head) = activity else { return }
    activity = .answering(head)
    countBodyNoLonger()
    let received = whenReceived
    whenReceived = nil
    received?()
  }

  /// Does something with a user's request once all of it has come, which may be now; asks for what the client holds back.
  private func onceReceived(from user: UserID, _ body: @escaping () -> Void) {
    guard case .receiving(let head) = activity else { return body() }
    // One user can have many requests that never end, and each keeps what has come of its body.
    let size = announcedSize(of: head)
    if size > 0 {
      guard hub.directory.beginReceiving(size, from: user) else { return refuse(.tooMuchOfUser) }
      incoming = (user, size)
    }
    whenReceived = body
    guard awaitsContinue, let context else { return }
    awaitsContinue = false
    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
  }

  /// Counts what has come of a body beyond its size as counted, which only one in chunks can: nobody knows how long it gets.
  private func countGrowth() {
    guard let (user, size) = incoming, body.count > size else { return }
    let growth = max(body.count - size, hub.limits.leastChunkedSize)
    guard hub.directory.beginReceiving(growth, from: user) else {
      whenReceived = nil
      return refuse(.tooMuchOfUser)
    }
    incoming = (user, size + growth)
  }

  /// How much of a body may be kept, in bytes: as much as is taken at all, unless the head says that less will come. One in
  /// chunks begins small.
  private func announcedSize(of head: HTTPRequestHead) -> Int {
    let most = hub.limits.maximumBodySize
    if head.headers.contains(name: "Transfer-Encoding") { return max(hub.limits.leastChunkedSize, body.count) }
    return head.headers.first(name: "Content-Length").map { min(Int($0) ?? most, most) } ?? 0
  }

  // MARK: Routes

  private func respond(to head: HTTPRequestHead) {
    let target = RequestTarget(head.uri)
    route = HubRoute(path: target.path)
    switch route {
    case nil:
      send(.text(.notFound, "Not found"))
    case .live:
      send(head.method == .GET ? .json(Array(#"{"status":"ok"}"#.utf8)) : .methodNotAllowed("GET"))
    case .ready:
      send(head.method == .GET ? http.readiness() : .methodNotAllowed("GET"))
    case .negotiate(let path):
      guard head.method != .OPTIONS else { return send(http.origins.preflight(for: head.headers)) }
      authenticate(head, target, path) { handler, caller, token in
        guard head.method == .POST else { return handler.send(.methodNotAllowed("POST, OPTIONS")) }
        handler.negotiate(head, target, caller, token)
      }
    case .hub(let path):
      guard head.method != .OPTIONS else { return send(http.origins.preflight(for: head.headers)) }
      authenticate(head, target, path) { handler, caller, _ in handler.serve(head, target, caller) }
    }
  }

  /// Verifies the token away from the event loop, then goes on as soon as all of the request has come.
  private func authenticate(
    _ head: HTTPRequestHead,
    _ target: RequestTarget,
    _ path: HubPath,
    _ body: @escaping (HTTPHandler, HubCaller, String) -> Void
  ) {
    let token: String
    do throws(AuthenticationError) {
      token = try Self.token(of: head, target)
    } catch {
      return refuse(error)
    }
    registry.run { [hub] in try await hub.principal(of: token) }.whenComplete { [weak self] result in
      guard let self, self.context != nil else { return }
      switch result {
      case .success(let principal):
        self.countNoLonger()
        guard let caller = self.caller(principal, head, path) else {
          return self.send(.text(.forbidden, "The token's subject is not the id of a user"))
        }
        self.onceReceived(from: caller.user) { [unowned self] in body(self, caller, token) }
      case .failure(let error as AuthenticationError): self.refuse(error)
      case .failure(is UserOfAnother):
        self.send(.text(.forbidden, "The token's subject is another user's: the UUID that stands for it is taken"))
      case .failure(let error):
        self.hub.logger.warning("a user cannot be looked up", metadata: ["error": "\(error)"])
        self.send(.unavailable("The database is not available"))
      }
    }
  }

  /// The token of the header, else that of the query: an `Authorization` of another scheme may be meant for a proxy.
  private static func token(of head: HTTPRequestHead, _ target: RequestTarget) throws(AuthenticationError) -> String {
    do throws(AuthenticationError) {
      return try BearerToken.parse(head.headers.first(name: "Authorization"))
    } catch {
      guard let token = target.parameter("access_token") else { throw error }
      return token
    }
  }

  private func refuse(_ error: any Error) {
    hub.statistics.count(.unauthorized)
    send(.unauthorized("\(error)"))
  }

  /// Nil for a token that names no user.
  private func caller(_ principal: Principal, _ head: HTTPRequestHead, _ path: HubPath) -> HubCaller? {
    guard let userID = principal.userID else { return nil }
    let network = ClientNetwork(context?.remoteAddress, head.headers, trustsProxy: hub.limits.trustsForwardedFor)
    return HubCaller(user: UserID(userID), network: network, path: path, expiresAt: hub.expiry(of: principal))
  }

  // MARK: Answers

  /// Takes what a POST brought.
  func takeBody() -> [UInt8] {
    defer { body = [] }
    return body
  }

  /// Notes that the request waits until the hub connection has something to send.
  func poll(_ id: ConnectionID, on loop: HubLoop) {
    guard case .answering(let head) = activity else { return }
    activity = .polling(head, id, loop)
  }

  /// The head of the request that is not answered yet.
  private var request: HTTPRequestHead? {
    switch activity {
    case .idle: nil
    case .receiving(let head), .answering(let head), .polling(let head, _, _): head
    }
  }

  /// Counts the answer to the current request, where somebody counts.
  func countAnswer(_ status: HTTPResponseStatus) {
    let method: String? =
      switch request?.method {
      case .GET: "GET"
      case .POST: "POST"
      case .DELETE: "DELETE"
      case .OPTIONS: "OPTIONS"
      default: nil
      }
    hub.telemetry.answered(method, route?.template, status.code)
  }

  /// The headers that let an allowed page read the answer.
  func pageHeaders() -> HTTPHeaders {
    request.map { http.origins.headers(for: $0.headers) } ?? [:]
  }

  func refuse(_ refusal: OpeningRefusal) {
    hub.statistics.count(.refused)
    send(refusal.answer)
  }

  func send(_ answer: HTTPAnswer) {
    guard let context, !hasSwitched, let request else { return }
    countAnswer(answer.status)
    var headers = answer.headers
    headers.add(contentsOf: pageHeaders())
    if answer.status != .noContent { headers.add(name: "Content-Length", value: "\(answer.body.count)") }
    // After a request to upgrade the decoder reads no further request. Who is refused by a node that stops has to come by
    // another TCP connection: only that one leads to another node.
    let closes =
      isBodyTooLong || awaitsContinue || hub.isDraining || !request.isKeepAlive
      || request.headers.contains(name: "Upgrade")
    if closes { headers.add(name: "Connection", value: "close") }
    activity = .idle
    countBodyNoLonger()
    body = []
    waitingSince = .now()
    let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request.method != .HEAD, !answer.body.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
    }
    let done = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if closes { done.assumeIsolated().whenComplete { [weak self] _ in self?.close() } }
  }
}
