import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Answers the OAuth token endpoint and `messages:send`.
struct FCMResponder: Sendable {
  /// Larger bodies are refused unread; an acceptable message is far smaller.
  static let maximumBody = 64 * 1_024

  /// An answer, or how to fail to give one.
  enum Reply: Sendable {
    case answer(status: Int, body: [UInt8], retryAfter: Int? = nil)
    case fault(FaultEffect.Kind)

    static func failure(_ failure: FCMFailure) -> Reply {
      .answer(status: failure.httpStatus, body: failure.body, retryAfter: failure.retryAfter)
    }
  }

  let project: String
  let verifier: AssertionVerifier
  let tokens: AccessTokens
  let faults: FaultList
  let log: PushLog
  let ports: ListeningPorts
  private let sendPath: String

  init(account: ServiceAccount, tokens: AccessTokens, faults: FaultList, log: PushLog, ports: ListeningPorts) {
    project = account.project
    verifier = account.verifier
    self.tokens = tokens
    self.faults = faults
    self.log = log
    self.ports = ports
    sendPath = "/v1/projects/\(account.project)/messages:send"
  }

  /// Handles one request of Hummingbird's server.
  @Sendable @concurrent
  func respond(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
    let path = request.uri.path
    let (reply, delay): (Reply, Duration)
    do {
      let body = try await [UInt8](buffer: request.body.collect(upTo: Self.maximumBody))
      (reply, delay) = handle(request, path: path, body: body)
    } catch is NIOTooManyBytesError {
      (reply, delay) = (
        .failure(.malformed("Request payload size exceeds the limit: \(Self.maximumBody) bytes")), .zero
      )
    }
    if delay > .zero { await wait(delay) }
    switch reply {
    case .answer(let status, let body, let retryAfter):
      if path == sendPath { log.count("\(status)") }
      var head = HTTPResponse(status: .init(code: status))
      head.headerFields[.contentType] = "application/json; charset=UTF-8"
      head.headerFields[.contentLength] = "\(body.count)"
      if let retryAfter { head.headerFields[.retryAfter] = "\(retryAfter)" }
      try await writer.write(response: head, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    case .fault(let kind):
      if path == sendPath { log.count(kind.rawValue) }
      try await fail(kind, channel)
    }
  }

  // MARK: Deciding

  private func handle(_ request: Request, path: String, body: [UInt8]) -> (Reply, Duration) {
    guard request.method == .post else { return (.failure(.unknownPath), .zero) }
    if path == sendPath { return send(authorization: request.headers[.authorization], body: body) }
    if path == "/token" { return token(form: body) }
    if path.hasPrefix("/v1/projects/"), path.hasSuffix("/messages:send") {
      let other = path.dropFirst("/v1/projects/".count).dropLast("/messages:send".count)
      return (.failure(.wrongProject(String(other))), .zero)
    }
    return (.failure(.unknownPath), .zero)
  }

  func send(authorization: String?, body: [UInt8]) -> (Reply, Duration) {
    guard let authorization, authorization.lowercased().hasPrefix("bearer ") else {
      return (.failure(.missingCredentials), .zero)
    }
    guard tokens.isValid(String(authorization.dropFirst(7))) else { return (.failure(.invalidCredentials), .zero) }
    let message: PushMessage
    do { message = try FCMValidator.validate(body) } catch { return (.failure(error), .zero) }
    let decision = faults.decide(.push, target: message.target.text)
    if let effect = decision.effect {
      if effect.accepts, !message.validateOnly { _ = log.accept(message, json: Array(body[message.range])) }
      return (effect.failure.map(Reply.failure) ?? .fault(effect.kind), decision.delay)
    }
    let id = message.validateOnly ? "fake_message_id" : log.accept(message, json: Array(body[message.range]))
    let answer = "{\n  \"name\": \"projects/\(project)/messages/\(id)\"\n}\n"
    return (.answer(status: 200, body: Array(answer.utf8)), decision.delay)
  }

  private func token(form: [UInt8]) -> (Reply, Duration) {
    let decision = faults.decide(.oauth, target: "")
    if let effect = decision.effect {
      return (effect.failure.map(Reply.failure) ?? .fault(effect.kind), decision.delay)
    }
    let audience = ServiceAccount.tokenURL(port: ports[.fcm] ?? 0)
    do {
      try verifier.verify(form: form, audience: audience, now: Date().timeIntervalSince1970)
    } catch {
      return (.answer(status: 400, body: error.body), decision.delay)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("access_token", tokens.issue())
    writer.member("expires_in", Int(tokens.lifetime.components.seconds))
    writer.member("token_type", "Bearer")
    writer.endObject()
    return (.answer(status: 200, body: writer.bytes), decision.delay)
  }

  // MARK: Misbehaving

  /// Waits as long as the fault says, but not beyond the beginning of a shutdown.
  private func wait(_ delay: Duration) async {
    await cancelWhenGracefulShutdown {
      do { try await Task.sleep(for: delay) } catch { return }
    }
  }

  private func fail(_ kind: FaultEffect.Kind, _ channel: any Channel) async throws {
    switch kind {
    case .hang:
      try await withGracefulShutdownHandler {
        try await channel.closeFuture.get()
      } onGracefulShutdown: {
        channel.close(promise: nil)
      }
    case .disconnect:
      (channel.parent ?? channel).close(promise: nil)
    default:
      channel.close(promise: nil)
    }
  }
}
