import Authentication
import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import BelfryJSON
import Logging
import MailReports
import NotificationStore
import ServiceRuntime

/// `/api/v1/webhooks/bounces/…`: what mail servers and providers report of mails that were sent.
struct BounceController {
  /// Bytes of what a provider reports at once.
  static let maximumWebhook = 1_048_576

  let desk: BounceDesk
  let recorder: BounceRecorder
  let clock: @Sendable () -> Date
  let logger: Logger

  init(_ dependencies: GatewayDependencies) {
    desk = dependencies.bounces
    recorder = BounceRecorder(
      mails: DeliveryStore(client: dependencies.database),
      suppressions: SuppressionStore(client: dependencies.database),
      logger: dependencies.logger
    )
    clock = dependencies.clock
    logger = dependencies.logger
  }

  var routes: [Route] {
    [
      .post("webhooks/bounces/mail", .service(.bounces), mail),
      .post("webhooks/bounces/ses", .open, ses),
      .post("webhooks/bounces/postmark", .open, postmark),
      .post("webhooks/bounces/sendgrid", .open, sendgrid),
      .post("webhooks/bounces/mailgun", .open, mailgun),
    ]
  }

  /// A mail that came back, as it is. What is no report, or proves nothing, is counted and does nothing.
  func mail(_ request: Request, context: GatewayContext) async throws -> Response {
    let type = request.headers[.contentType]?.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
    guard type == "message/rfc822" || type == "message/global" else { throw Problem.needsMail }
    let bytes = try await RequestBody.untyped(of: request, maximum: MailReport.maximumBytes)
    let now = clock()
    let returned: ReturnedMail
    do throws(BounceRefusal) {
      returned = try ReturnedMail(bytes, desk.configuration.returnPath, at: now)
    } catch {
      guard case .forged(let reason) = error else { throw refusal(error, of: .mail) }
      // Not the mail server's doing: it would send the forged one back, to somebody who never wrote it.
      note(error, of: .mail, reason)
      return Self.answer(BounceRecorder.Tally(forged: 1))
    }
    guard !returned.events.isEmpty else {
      desk.telemetry.count(.ignored, from: .mail)
      logger.info("a mail came back that reports no failure and no complaint")
      return Self.answer(BounceRecorder.Tally(ignored: 1))
    }
    return try await take(.mail, token: nil, at: now) {
      returned.events
    } check: { tally in
      guard tally.recorded == 0, tally.unmatched > 0, returned.comesAgain else { return }
      throw Problem.notWrittenYet
    }
  }

  func ses(_ request: Request, context: GatewayContext) async throws -> Response {
    let topics = desk.configuration.sesTopics
    let network = desk.limits?.network(of: request, context)
    return try await report(.ses, isTaken: !topics.isEmpty, request, context) { bytes, now in
      let message = try SNSMessage(bytes, topics: topics)
      let url = message.certificateURL
      let certificate = try await desk.certificates.certificate(at: url, for: network, now: now)
      try message.check(certificate, at: now)
      await desk.certificates.prove(url)
      try ProofTime.check(message.time, at: now)
      return try await take(message, for: network, at: now)
    }
  }

  private func take(_ message: SNSMessage, for network: ClientNetwork?, at now: Date) async throws -> Response {
    switch message.kind {
    case .notification:
      return try await take(.ses, token: "ses \(message.id)", at: now) { try SESReport.events(message.message) }
    case .subscription:
      guard let url = message.subscribeURL, message.topic.isHome(of: url) else {
        throw BounceRefusal.forged("SubscribeURL does not lead to \(message.topic.host)")
      }
      try await desk.certificates.confirm(url, for: network, now: now)
      logger.notice("confirmed the subscription of a topic", metadata: ["topic": "\(message.topic.name)"])
    case .unsubscription:
      logger.warning("a topic reports bounces no longer", metadata: ["topic": "\(message.topic.name)"])
    }
    return Self.answer(BounceRecorder.Tally())
  }

  func postmark(_ request: Request, context: GatewayContext) async throws -> Response {
    let credentials = desk.configuration.postmarkCredentials
    return try await report(.postmark, isTaken: !credentials.isEmpty, request, context) { bytes, now in
      try PostmarkReport.check(request.headers[.authorization], credentials)
      return try await take(.postmark, token: nil, at: now) { try PostmarkReport.events(bytes) }
    }
  }

  func sendgrid(_ request: Request, context: GatewayContext) async throws -> Response {
    let keys = desk.configuration.sendgridKeys
    return try await report(.sendgrid, isTaken: !keys.isEmpty, request, context) { bytes, now in
      try SendGridReport.check(
        bytes,
        signature: request.headers[.sendgridSignature],
        timestamp: request.headers[.sendgridTimestamp],
        keys,
        at: now
      )
      return try await take(.sendgrid, token: "sendgrid \(Self.digest(bytes))", at: now) {
        try SendGridReport.events(bytes)
      }
    }
  }

  func mailgun(_ request: Request, context: GatewayContext) async throws -> Response {
    let keys = desk.configuration.mailgunKeys
    return try await report(.mailgun, isTaken: !keys.isEmpty, request, context) { bytes, now in
      guard let json = try? JSONParser.report(bytes), json.members != nil else {
        throw BounceRefusal.unreadable("it is no JSON object")
      }
      let token = try MailgunReport.check(json, keys, at: now)
      return try await take(.mailgun, token: "mailgun \(token)", at: now) { try MailgunReport.events(json) }
    }
  }

  // MARK: Taking

  /// Takes what is proven, once.
  ///
  /// - Parameters:
  ///   - token: By which a repetition is known.
  ///   - check: Looks at what came of it; what it throws is answered, and it may come again.
  private func take(
    _ source: BounceSource,
    token: String?,
    at now: Date,
    _ events: () throws -> [BounceEvent],
    check: (BounceRecorder.Tally) throws -> Void = { _ in }
  ) async throws -> Response {
    if let token {
      switch desk.tokens.take(token, at: now) {
      case .first: break
      // Not taken for sure: whoever reported it gave up waiting, and the first may fail yet.
      case .inProgress: throw Problem.unavailable("the same report is being taken just now", retryAfter: 60)
      case .repeated: throw BounceRefusal.repeated
      }
    }
    do {
      let tally = try await recorder.record(try events(), from: source, at: now)
      if tally.early > 0 { throw Problem.notWrittenYet }
      try check(tally)
      if let token { desk.tokens.keep(token, at: now) }
      desk.telemetry.count(.recorded, from: source, by: tally.recorded)
      desk.telemetry.count(.ignored, from: source, by: tally.ignored)
      desk.telemetry.count(.unmatched, from: source, by: tally.unmatched)
      return Self.answer(tally)
    } catch {
      if let token { desk.tokens.giveBack(token) }
      throw error
    }
  }

  /// Reads a provider's report. One that is not proven counts as a request without a valid token: not even many at once cost more than
  /// such requests are allowed.
  ///
  /// - Parameter isTaken: Whether reports of this provider are expected.
  private func report(
    _ source: BounceSource,
    isTaken: Bool,
    _ request: Request,
    _ context: GatewayContext,
    _ body: ([UInt8], Date) async throws -> Response
  ) async throws -> Response {
    guard isTaken else { throw Problem.notFound }
    let network = desk.limits?.network(of: request, context)
    let counted = network.flatMap { desk.limits?.refused?.take($0) }
    if let counted, !counted.isAdmitted { throw Problem.tooManyRequests(counted) }
    let bytes = try await RequestBody.untyped(of: request, maximum: Self.maximumWebhook)
    func giveBack() {
      if let network { desk.limits?.refused?.giveBack(network) }
    }
    do {
      let response = try await body(bytes, clock())
      giveBack()
      return response
    } catch BounceRefusal.repeated {
      giveBack()
      desk.telemetry.count(.repeated, from: source)
      return Self.answer(BounceRecorder.Tally())
    } catch let error as BounceRefusal {
      throw refusal(error, of: source)
    } catch {
      // It is proven, and our own trouble.
      giveBack()
      throw error
    }
  }

  /// What is answered to who is refused; it is counted.
  private func refusal(_ refusal: BounceRefusal, of source: BounceSource) -> Problem {
    switch refusal {
    case .forged(let reason):
      note(refusal, of: source, reason)
      return .unauthorized(reason)
    case .unreadable(let reason):
      note(refusal, of: source, reason)
      return Problem(.badRequest, .malformed, "The report cannot be read", detail: reason)
    case .unavailable(let reason): return .unavailable(reason, retryAfter: 60)
    // It is answered with success where it is taken.
    case .repeated: return .notFound
    }
  }

  private func note(_ refusal: BounceRefusal, of source: BounceSource, _ reason: String) {
    let isForged = if case .forged = refusal { true } else { false }
    desk.telemetry.count(isForged ? .forged : .unreadable, from: source)
    logger.notice(
      isForged ? "a report of a bounce is not proven" : "a report of a bounce cannot be read",
      metadata: ["source": "\(source)", "reason": "\(reason)"]
    )
  }

  private static func answer(_ tally: BounceRecorder.Tally) -> Response {
    .json { writer in
      writer.object { writer in
        writer.field("recorded", tally.recorded)
        writer.field("ignored", tally.ignored)
        writer.field("unmatched", tally.unmatched)
        writer.field("forged", tally.forged)
      }
    }
  }

  private static func digest(_ bytes: [UInt8]) -> String { Base64URL.encode(SHA256.hash(bytes)) }
}

extension HTTPField.Name {
  static let sendgridSignature = name("X-Twilio-Email-Event-Webhook-Signature")
  static let sendgridTimestamp = name("X-Twilio-Email-Event-Webhook-Timestamp")

  private static func name(_ text: String) -> Self {
    guard let name = Self(text) else { preconditionFailure("a valid field name") }
    return name
  }
}

extension Problem {
  /// 503: a report is faster than our own books.
  fileprivate static let notWrittenYet = unavailable("what became of the mail is not written down yet", retryAfter: 60)

  /// 415.
  fileprivate static let needsMail = Problem(
    .unsupportedMediaType,
    .unsupportedMediaType,
    "The body is not of a type that is read here",
    detail: "send the mail as it is, with Content-Type: message/rfc822"
  )
}
