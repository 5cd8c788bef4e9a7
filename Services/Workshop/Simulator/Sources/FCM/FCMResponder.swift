import Foundation
import BelfryJSON

/// Answers the OAuth token endpoint, `messages:send` and topic subscriptions, without the network.
struct FCMResponder: Sendable {
  let account: ServiceAccount
  let verifier: AssertionVerifier
  let tokens: AccessTokens
  let faults: FaultList
  let log: PushLog
  let ports: ListeningPorts
  private let topics: TopicResponder
  private let sendPath: String

  init(
    account: ServiceAccount,
    tokens: AccessTokens,
    faults: FaultList,
    log: PushLog,
    subscriptions: TopicSubscriptions,
    ports: ListeningPorts
  ) {
    self.account = account
    verifier = account.verifier
    self.tokens = tokens
    self.faults = faults
    self.log = log
    self.ports = ports
    topics = TopicResponder(project: account.project, faults: faults, subscriptions: subscriptions)
    sendPath = "/v1/projects/\(account.project)/messages:send"
  }

  /// The reply, and how long it is to be held back.
  func respond(to request: FCMRequest) -> (FCMReply, Duration) {
    guard let method = request.method else { return (.failure(.unknownPath), .zero) }
    guard let body = request.body else {
      return (.failure(.malformed("Request payload size exceeds the limit: \(FCMRequest.maximumBody) bytes")), .zero)
    }
    if method == .post, request.path == sendPath {
      let (reply, delay) = send(request, body: body)
      switch reply {
      case .answer(let status, _, _): log.count(status == 200 ? "200" : "\(status)")
      case .fault(let kind): log.count(kind.rawValue)
      }
      return (reply, delay)
    }
    if method == .post, request.path == "/token" { return token(form: body) }
    if let address = TopicAddress(request.path) {
      do { try authorize(request) } catch { return (.failure(error), .zero) }
      return topics.respond(to: request, at: address, body: body)
    }
    if method == .post, request.path.hasPrefix("/v1/projects/"), request.path.hasSuffix("/messages:send") {
      let other = request.path.dropFirst("/v1/projects/".count).dropLast("/messages:send".count)
      return (.failure(.wrongProject(String(other), permission: "cloudmessaging.messages.create")), .zero)
    }
    return (.failure(.unknownPath), .zero)
  }

  private func authorize(_ request: FCMRequest) throws(FCMFailure) {
    guard let authorization = request.authorization, authorization.prefix(7).lowercased() == "bearer " else {
      throw .missingCredentials
    }
    guard tokens.isValid(String(authorization.dropFirst(7))) else { throw .invalidCredentials }
  }

  private func send(_ request: FCMRequest, body: [UInt8]) -> (FCMReply, Duration) {
    let message: PushMessage
    do throws(FCMFailure) {
      try authorize(request)
      message = try FCMValidator.validate(body)
    } catch { return (.failure(error), .zero) }
    let decision = faults.decide(.push, target: message.target.text)
    if let effect = decision.effect {
      if !message.validateOnly {
        if effect.accepts {
          _ = log.accept(message, json: Array(body[message.range]))
        } else {
          log.refuse(message, effect)
        }
      }
      return (effect.reply(project: account.project, target: message.target.text), decision.delay)
    }
    let id = message.validateOnly ? "fake_message_id" : log.accept(message, json: Array(body[message.range]))
    let answer = "{\n  \"name\": \"projects/\(account.project)/messages/\(id)\"\n}\n"
    return (.answer(status: 200, body: Array(answer.utf8)), decision.delay)
  }

  private func token(form: [UInt8]) -> (FCMReply, Duration) {
    let decision = faults.decide(.oauth, target: "")
    if let effect = decision.effect { return (effect.reply, decision.delay) }
    let audience = account.tokenURL(port: ports[.fcm] ?? 0)
    do {
      try verifier.verify(form: form, audience: audience, now: Date().timeIntervalSince1970)
    } catch {
      return (.answer(status: 400, body: error.body), decision.delay)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("access_token", tokens.issue())
      writer.field("expires_in", Int(tokens.lifetime.components.seconds))
      writer.field("token_type", "Bearer")
    }
    return (.answer(status: 200, body: writer.bytes), decision.delay)
  }
}
