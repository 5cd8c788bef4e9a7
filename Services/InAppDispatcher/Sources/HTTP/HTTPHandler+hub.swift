import NIOCore
import NIOHTTP1
import NIOWebSocket
import SignalRProtocol

/// The hub's requests: negotiation and the three transports.
extension HTTPHandler {
  func negotiate(_ head: HTTPRequestHead, _ target: RequestTarget, _ caller: HubCaller, _ token: String) {
    do throws(NegotiateError) {
      let version = try NegotiateVersion.parse(target.parameter("negotiateVersion"))
      guard !hub.isDraining else { return send(.unavailable("Shutting down")) }
      switch hub.placement.destination(of: caller.user, isRedirected: target.parameter("placed") != nil) {
      case .here: break
      case .elsewhere(let url):
        let there = "\(url)\(caller.path.rawValue)?placed=1"
        return send(.json(NegotiateResponse.redirected(url: there, accessToken: token)))
      case .unknown: throw NegotiateError.wrongNode
      }
      let secret = ConnectionToken(node: node(head), id: .random())
      // In version 0 the id is what the transport presents.
      let id = version == .one ? ConnectionID.random().description : secret.description
      let isStateful = target.parameter("useStatefulReconnect")?.lowercased() == "true"
      if let refusal = hub.directory.announce(secret, for: caller.user, isStateful: isStateful, at: .now()) {
        return refuse(refusal)
      }
      send(
        .json(
          NegotiateResponse.accepted(
            version: version,
            id: id,
            token: secret.description,
            transports: [.webSockets, .serverSentEvents, .longPolling],
            useStatefulReconnect: isStateful
          )
        )
      )
    } catch {
      send(.json(NegotiateResponse.refused(error)))
    }
  }

  /// As what the proxy in front knows this node; nil without one, or if it is not to be believed, or does not say so in one
  /// well-formed header.
  private func node(_ head: HTTPRequestHead) -> NodeName? {
    guard !hub.nodeHeader.isNone else { return nil }
    let values = head.headers[hub.nodeHeader.description]
    return values.count == 1 ? NodeName(values[0]) : nil
  }

  /// Anything but negotiation.
  func serve(_ head: HTTPRequestHead, _ target: RequestTarget, _ caller: HubCaller) {
    // Only a POST has use for a body. Who still sends one must not change protocols: the decoder goes on with HTTP.
    guard !isBodyTooLong || head.method == .POST else { return send(.tooLarge(hub.limits.maximumBodySize)) }
    func has(_ name: String, _ value: String) -> Bool {
      head.headers[canonicalForm: name].contains { $0.lowercased().hasPrefix(value) }
    }
    switch head.method {
    case .GET where has("Upgrade", "websocket"): upgrade(head, target, caller)
    case .GET where has("Accept", "text/event-stream"): request(.eventStream, target, caller)
    case .GET: request(.poll, target, caller)
    case .POST: request(.send, target, caller)
    case .DELETE: request(.delete, target, caller)
    default: send(.methodNotAllowed("GET, POST, DELETE, OPTIONS"))
    }
  }

  private func request(_ request: HubRequest, _ target: RequestTarget, _ caller: HubCaller) {
    let body = request == .send ? takeBody() : []
    switch admit(request, target, body, caller) {
    case .refused(let refusal):
      refuse(refusal)
    case .buffered:
      send(.empty(.ok))
    case .opened(let ticket):
      if ticket.transport == .longPolling {
        let connection = open(ticket, caller, .polls(LongPoll(at: .now())))
        connection.begin(ticket.early)
        self.poll(connection.id, on: loop) { $0.poll($1, for: $2) }
      } else {
        becomeEventStream(ticket, caller)
      }
    case .existing(let id, let index):
      let home = hub.loops[index]
      switch request {
      case .poll:
        let expiresAt = caller.expiresAt
        poll(id, on: home) {
          $0.renew(until: expiresAt)
          $0.poll($1, for: $2)
        }
      case .delete: ask(id, on: home, then: .empty(.accepted)) { $0.clientClosed(attachment: $0.attachment) }
      case .send where isBodyTooLong:
        let limit = hub.limits.maximumBodySize
        ask(id, on: home, then: .tooLarge(limit)) { $0.refuse(.messageTooLarge(limit: limit)) }
      case .send, .webSocket, .eventStream:
        ask(id, on: home, then: .empty(.ok)) { $0.receive(body, attachment: $0.attachment) }
      }
    }
  }

  private func open(_ ticket: HubTicket, _ caller: HubCaller, _ carrier: Carrier) -> HubConnection {
    HubConnection(ticket, expiresAt: caller.expiresAt, carrier: carrier, hub: hub, registry: registry)
  }

  private func admit(
    _ request: HubRequest,
    _ target: RequestTarget,
    _ body: [UInt8],
    _ caller: HubCaller
  ) -> Admission {
    guard hub.placement.serves(caller.user) else { return .refused(.wrongNode) }
    return hub.directory.admit(
      request,
      id: target.parameter("id"),
      body: body,
      from: caller,
      loop: loop.index,
      isDraining: hub.isDraining,
      at: .now()
    )
  }

  /// Does something with a connection where it lives, then answers.
  private func ask(
    _ id: ConnectionID,
    on home: HubLoop,
    then answer: HTTPAnswer,
    _ body: @escaping @Sendable (HubConnection) -> Void
  ) {
    guard let context else { return }
    home.eventLoop.submit {
      guard let connection = home.registry.value.connection(id) else { return false }
      body(connection)
      return true
    }
    .hop(to: context.eventLoop)
    .assumeIsolated()
    .whenSuccess { [weak self] isKnown in
      self?.send(isKnown ? answer : OpeningRefusal.unknownID.answer)
    }
  }

  private func poll(
    _ id: ConnectionID,
    on home: HubLoop,
    _ body: @escaping @Sendable (HubConnection, EventLoopPromise<LongPoll.Answer>, ObjectIdentifier) -> Void
  ) {
    guard let context else { return }
    poll(id, on: home)
    let promise = context.eventLoop.makePromise(of: LongPoll.Answer.self)
    let request = ObjectIdentifier(self)
    promise.futureResult.assumeIsolated().whenSuccess { [weak self] answer in
      switch answer {
      case .data(let data):
        guard let self, self.context != nil else { return home.with(id) { $0.giveBack(data) } }
        self.send(.polled(Array(data.readableBytesView)))
      case .ended: self?.send(.empty(.noContent))
      case .unknown: self?.send(OpeningRefusal.unknownID.answer)
      }
    }
    home.eventLoop.execute {
      guard let connection = home.registry.value.connection(id) else { return promise.succeed(.unknown) }
      body(connection, promise, request)
    }
  }

  // MARK: Server-Sent Events

  /// Answers with a head and never ends: the pipeline keeps nothing of HTTP. The end of the channel ends the body, so the
  /// bytes of an event are the same for every connection.
  private func becomeEventStream(_ ticket: HubTicket, _ caller: HubCaller) {
    guard let context else { return hub.directory.close(ticket) }
    let channel = context.channel
    let head = eventStreamHead()
    countAnswer(.ok)
    let connection = open(ticket, caller, .channel(channel))
    let pipeline = context.pipeline.syncOperations
    do {
      try pipeline.addHandler(EventStreamHandler(.here(connection)))
      let decoder = try removeHTTP(from: pipeline)
      connection.use(try DirectSocket(of: pipeline), of: channel, after: channel.writeAndFlush(head))
      connection.begin(ticket.early)
      _ = pipeline.removeHandler(context: decoder)
    } catch {
      abort(connection, context)
    }
  }

  /// The head, as bytes because NIO's encoder would announce chunks, and the comment with which the original hub begins.
  private func eventStreamHead() -> ByteBuffer {
    var headers = pageHeaders()
    headers.add(name: "Content-Type", value: "text/event-stream")
    headers.add(name: "Cache-Control", value: "no-cache,no-store")
    headers.add(name: "Content-Encoding", value: "identity")
    headers.add(name: "Connection", value: "close")
    // nginx would collect events otherwise.
    headers.add(name: "X-Accel-Buffering", value: "no")
    var head = ByteBuffer(string: "HTTP/1.1 200 OK\r\n")
    for (name, value) in headers { head.writeString("\(name): \(value)\r\n") }
    head.writeString("\r\n:\r\n")
    return head
  }

  // MARK: WebSocket

  private func upgrade(_ head: HTTPRequestHead, _ target: RequestTarget, _ caller: HubCaller) {
    guard let context else { return }
    guard http.origins.accepts(head.headers) else { return send(.text(.forbidden, "The origin is not allowed")) }
    // Without it the parser would go on to take the WebSocket's bytes for HTTP.
    guard head.headers[canonicalForm: "Connection"].contains(where: { $0.lowercased() == "upgrade" }) else {
      return send(.text(.badRequest, "The WebSocket request is malformed: Connection: Upgrade is missing"))
    }
    // The directory counts the connection in only afterwards, when the headers are known to be right: it would have to be
    // counted out again.
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
      switch self.admit(.webSocket, target, [], caller) {
      case .opened(let ticket): self.becomeWebSocket(headers, ticket, caller)
      case .existing(let id, let index): self.takeUp(headers, id, caller, on: self.hub.loops[index])
      case .refused(let refusal): self.refuse(refusal)
      case .buffered: break
      }
    }
  }

  /// Answers 101 and replaces every HTTP handler by those of the hub.
  private func becomeWebSocket(_ headers: HTTPHeaders, _ ticket: HubTicket, _ caller: HubCaller) {
    guard let context else { return hub.directory.close(ticket) }
    let channel = context.channel
    let connection = open(ticket, caller, .channel(channel))
    let pipeline = context.pipeline.syncOperations
    do {
      connection.use(try DirectSocket(of: pipeline), of: channel, after: switchProtocols(headers, context))
      try pipeline.addHandler(WebSocketHandler(.here(connection), maximumFrameSize: hub.limits.maximumFrameSize))
      let decoder = try removeHTTP(from: pipeline)
      // What the client sent before comes before what it sends now.
      connection.begin(ticket.early)
      _ = pipeline.removeHandler(context: decoder)
    } catch {
      abort(connection, context)
    }
  }

  /// Takes up a stateful connection, which may live on another event loop.
  private func takeUp(_ headers: HTTPHeaders, _ id: ConnectionID, _ caller: HubCaller, on home: HubLoop) {
    guard let context else { return }
    let (channel, maximumFrameSize) = (context.channel, hub.limits.maximumFrameSize)
    let expiresAt = caller.expiresAt
    let pipeline = context.pipeline.syncOperations
    do {
      _ = switchProtocols(headers, context)
      // The decoder of HTTP stays for now, and keeps what the client sends.
      _ = pipeline.removeHandler(context: try pipeline.context(handlerType: HTTPServerPipelineHandler.self))
      _ = pipeline.removeHandler(context: try pipeline.context(handlerType: HTTPResponseEncoder.self))
    } catch {
      return context.close(promise: nil)
    }
    home.eventLoop.submit { home.registry.value.connection(id)?.reattach(channel, until: expiresAt) }
      .hop(to: context.eventLoop)
      .assumeIsolated()
      .whenSuccess { [weak self] attachment in
        guard let attachment else { return channel.close(promise: nil) }
        let connection = ConnectionReference.elsewhere(id, home, attachment: attachment)
        guard let self, let context = self.context else {
          // The channel has closed meanwhile, and there was no handler in it that NIO could have notified.
          return connection.carrierEnded()
        }
        let pipeline = context.pipeline.syncOperations
        do {
          try pipeline.addHandler(WebSocketHandler(connection, maximumFrameSize: maximumFrameSize))
          _ = pipeline.removeHandler(context: context)
          let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
          _ = pipeline.removeHandler(context: decoder)
        } catch {
          connection.carrierEnded()
          channel.close(promise: nil)
        }
      }
  }

  private func switchProtocols(_ headers: HTTPHeaders, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
    let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    countAnswer(.switchingProtocols)
    hasSwitched = true
    return context.writeAndFlush(wrapOutboundOut(.end(nil)))
  }

  /// A handler is missing only if the channel is closing.
  private func abort(_ connection: HubConnection, _ context: ChannelHandlerContext) {
    connection.end(.neverBegan)
    connection.carrierEnded(attachment: 0)
    context.close(promise: nil)
  }

  /// Removes all of HTTP but its decoder, which is to go last: it hands on what the client sent early.
  private func removeHTTP(from pipeline: ChannelPipeline.SynchronousOperations) throws -> ChannelHandlerContext {
    let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
    _ = pipeline.removeHandler(context: try pipeline.context(handlerType: HTTPServerPipelineHandler.self))
    _ = pipeline.removeHandler(context: try pipeline.context(handlerType: HTTPResponseEncoder.self))
    if let context { _ = pipeline.removeHandler(context: context) }
    return decoder
  }
}
