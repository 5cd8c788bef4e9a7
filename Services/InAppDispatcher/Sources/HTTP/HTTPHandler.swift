import Authentication
import NIOCore
import NIOHTTP1
import NIOWebSocket
import NotificationModel
import SignalRProtocol

/// Answers the requests of one HTTP connection until it becomes a WebSocket or ends.
///
/// `HTTPServerPipelineHandler` before it hands out one request at a time, so the state below is that of one request.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Negotiation has no body worth reading; clients send a few bytes at most.
  private static let maximumBodySize = 64 * 1_024

  private let hub: HubContext
  private let registry: ConnectionRegistry
  private var context: ChannelHandlerContext?
  private var head: HTTPRequestHead?
  private var bodySize = 0
  /// When the current request, or the wait for one, began.
  private(set) var waitingSince = NIODeadline.now()

  init(hub: HubContext, registry: ConnectionRegistry) {
    self.hub = hub
    self.registry = registry
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    registry.add(self)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    registry.remove(self)
  }

  func close() {
    context?.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Broken HTTP or a lost connection: there is nobody to tell.
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      bodySize = 0
    case .body(let body):
      bodySize += body.readableBytes
      if bodySize > Self.maximumBodySize, head != nil {
        var answer = HTTPAnswer.text(.payloadTooLarge, "The body is too large")
        answer.closes = true
        send(answer)
      }
    case .end:
      if let head { respond(to: head) }
    }
  }

  // MARK: Routes

  private func respond(to head: HTTPRequestHead) {
    let target = RequestTarget(head.uri)
    switch HubRoute(path: target.path) {
    case nil:
      send(.text(.notFound, "Not found"))
    case .live:
      send(head.method == .GET ? .json(Array(#"{"status":"ok"}"#.utf8)) : .methodNotAllowed("GET"))
    case .ready:
      send(head.method == .GET ? hub.readiness() : .methodNotAllowed("GET"))
    case .negotiate, .hub:
      guard head.method != .OPTIONS else { return send(hub.origins.preflight(for: head.headers)) }
      authenticate(head, target)
    }
  }

  /// Verifies the token away from the event loop, then goes on.
  private func authenticate(_ head: HTTPRequestHead, _ target: RequestTarget) {
    guard let context else { return }
    let verifier = hub.verifier
    let header = head.headers.first(name: "Authorization")
    let parameter = target.parameter("access_token")
    context.eventLoop
      .makeFutureWithTask { () async throws(AuthenticationError) -> Principal in
        try await verifier.verify(header.map(BearerToken.parse) ?? parameter ?? "")
      }
      .assumeIsolated()
      .whenComplete { [weak self] result in
        guard let self, self.context != nil else { return }
        switch result {
        case .success(let principal):
          guard let userID = principal.userID else {
            return self.send(.text(.forbidden, "The token's subject is not the id of a user"))
          }
          self.respond(to: head, target, from: UserID(userID))
        case .failure(let error):
          self.hub.statistics.count(.unauthorized)
          self.send(.unauthorized("\(error)"))
        }
      }
  }

  private func respond(to head: HTTPRequestHead, _ target: RequestTarget, from user: UserID) {
    if HubRoute(path: target.path) == .negotiate {
      guard head.method == .POST else { return send(.methodNotAllowed("POST, OPTIONS")) }
      return send(negotiate(target, user))
    }
    let isWebSocket =
      head.method == .GET && head.headers[canonicalForm: "Upgrade"].contains { $0.lowercased() == "websocket" }
    if isWebSocket { return upgrade(head, target, user) }
    guard [.GET, .POST, .DELETE].contains(head.method) else {
      return send(.methodNotAllowed("GET, POST, DELETE, OPTIONS"))
    }
    guard let id = target.parameter("id") else { return send(.text(.badRequest, "Connection ID required")) }
    send(hub.directory.answer(to: head.method, id: id, at: .now()))
  }

  private func negotiate(_ target: RequestTarget, _ user: UserID) -> HTTPAnswer {
    do {
      let version = try NegotiateVersion.parse(target.parameter("negotiateVersion"))
      guard !hub.isDraining else { return .unavailable("Shutting down") }
      let id = ConnectionID.random()
      let token = version == .one ? ConnectionID.random() : id
      try hub.directory.announce(token, for: user, at: .now())
      return .json(NegotiateResponse.accepted(version: version, id: id, token: token, transports: [.webSockets]))
    } catch {
      return .json(NegotiateResponse.refused(error))
    }
  }

  // MARK: Upgrade

  private func upgrade(_ head: HTTPRequestHead, _ target: RequestTarget, _ user: UserID) {
    guard let context else { return }
    guard !hub.isDraining else { return send(.unavailable("Shutting down")) }
    guard hub.origins.accepts(head.headers) else { return send(.text(.forbidden, "The origin is not allowed")) }
    let token = target.parameter("id")
    // Reserved only now, and not before the headers are known to be right: what is reserved must be released.
    NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() }
    )
    .buildUpgradeResponse(channel: context.channel, upgradeRequest: head, initialResponseHeaders: [:])
    .assumeIsolated()
    .whenComplete { [weak self] result in
      guard let self, self.context != nil else { return }
      guard case .success(let headers) = result else {
        return self.send(.text(.badRequest, "The WebSocket request is malformed").adding("Sec-WebSocket-Version", "13"))
      }
      switch self.hub.directory.open(token, for: user, limits: self.hub.limits, at: .now()) {
      case .opened: self.becomeWebSocket(headers, user: user, token: token)
      case .refused(let refusal):
        self.hub.statistics.count(.refused)
        self.send(refusal.answer)
      }
    }
  }

  /// Answers 101 and replaces every HTTP handler by those of the hub.
  private func becomeWebSocket(_ headers: HTTPHeaders, user: UserID, token: String?) {
    guard let context else { return hub.directory.close(token, of: user) }
    let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    let connection = HubConnectionHandler(hub: hub, registry: registry, user: user, token: token)
    let pipeline = context.pipeline.syncOperations
    do {
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
      let pipelining = try pipeline.context(handlerType: HTTPServerPipelineHandler.self)
      try pipeline.addHandler(
        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: hub.limits.maximumFrameSize))
      )
      try pipeline.addHandler(connection)
      _ = pipeline.removeHandler(context: pipelining)
      _ = pipeline.removeHandler(context: encoder)
      _ = pipeline.removeHandler(context: context)
      // Last, because it hands on what the client sent early.
      _ = pipeline.removeHandler(context: decoder)
    } catch {
      // A handler is missing only if the channel is closing.
      if !connection.isOwner { hub.directory.close(token, of: user) }
      context.close(promise: nil)
    }
  }

  private func send(_ answer: HTTPAnswer) {
    guard let context, let request = head else { return }
    head = nil
    waitingSince = .now()
    var headers = answer.headers
    headers.add(contentsOf: hub.origins.headers(for: request.headers))
    headers.add(name: "Content-Length", value: "\(answer.body.count)")
    // After a request to upgrade the decoder reads no further request.
    let closes = answer.closes || !request.isKeepAlive || request.headers.contains(name: "Upgrade")
    if closes { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request.method != .HEAD, !answer.body.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
    }
    let done = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if closes { done.assumeIsolated().whenComplete { [weak self] _ in self?.close() } }
  }
}
