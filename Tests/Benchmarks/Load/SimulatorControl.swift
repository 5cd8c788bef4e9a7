import Foundation
import NotificationModel
import Transport

/// The control API of the provider simulator.
struct SimulatorControl: Sendable {
  struct Summary: Decodable, Sendable {
    var accepted: Int
    var duplicates: Int
    /// How many pushes came at all.
    var distinctNotifications: Int?
    /// How many mails came at all.
    var distinctMessages: Int?
    /// How often each answer was given, or none.
    var attempts: [String: Int]?
    /// Of APNs: how many pushes each environment has accepted.
    var environments: [String: Int]?

    /// What has come, each counted once.
    var arrived: Int { distinctNotifications ?? distinctMessages ?? accepted }

    /// The same for any number of pushes: the simulator tells a million apart, and counts those beyond as accepted alone.
    var acceptedOnce: Int { accepted - duplicates }
  }

  struct Push: Decodable, Sendable {
    var sequence: Int
    var receivedAt: String
    var notificationId: String?
  }

  /// A browser that has subscribed.
  struct Subscription: Decodable, Sendable {
    struct Keys: Decodable, Sendable {
      var p256dh: String
      var auth: String
    }

    var endpoint: String
    var keys: Keys
  }

  /// A trouble to make, from when it is added until the next reset.
  struct Fault: Encodable, Sendable {
    struct Match: Encodable, Sendable {
      var channel: String
      /// Of one device alone; nil: of all.
      var token: String?
      /// The same of a mail.
      var recipient: String?
      /// The part of all pushes that it hits, chosen at random.
      var share: Double?
    }

    struct Effect: Encodable, Sendable {
      var kind: String
      var milliseconds: Int?
      /// Of the kind `status`.
      var status: Int?
      /// Whether the push is accepted all the same.
      var accepts: Bool?
      /// Of a mail: `recipient` or `message`.
      var stage: String?
      /// Of the kind `smtp`.
      var smtpCode: Int?
    }

    var match: Match
    var effect: Effect
  }

  private let url: String
  private let client: HTTPClient

  init(url: String) {
    self.url = url
    var configuration = HTTPClientConfiguration()
    configuration.maximumResponseBody = 64 * 1_048_576
    client = HTTPClient(configuration: configuration, logger: .bench)
  }

  func pushes(over carrier: DevicePlatform.Carrier = .fcm) async throws -> Summary {
    let name =
      switch carrier {
      case .fcm: "pushes"
      case .apns: "apns"
      case .webPush: "webpush"
      }
    return try await get("/api/\(name)/summary", Summary.self)
  }

  func mails() async throws -> Summary { try await get("/api/mails/summary", Summary.self) }

  /// When each notification's first push was accepted (``WallTime``; the simulator keeps milliseconds), by its id.
  func pushTimes() async throws -> [String: Int64] {
    var times: [String: Int64] = [:]
    _ = try await addPushTimes(to: &times)
    return times
  }

  /// Adds when notifications' first pushes were accepted, by their ids.
  ///
  /// - Parameters:
  ///   - last: Only of later pushes than this one.
  ///   - token: Only of those to this device; it needs no escaping.
  /// - Returns: The last push, or `last` if there was none.
  func addPushTimes(to times: inout [String: Int64], after last: Int = 0, token: String? = nil) async throws -> Int {
    struct List: Decodable { var pushes: [Push] }
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let filter = token.map { "&token=\($0)" } ?? ""
    var after = last
    while true {
      let list = try await get("/api/pushes?limit=5000&after=\(after)\(filter)", List.self).pushes
      guard let last = list.last else { return after }
      for push in list {
        guard let id = push.notificationId, times[id] == nil else { continue }
        times[id] = Int64((try format.parse(push.receivedAt).timeIntervalSince1970 * 1_000).rounded()) * 1_000_000
      }
      after = last.sequence
    }
  }

  /// When each mail to somebody was accepted (``WallTime``; the simulator keeps milliseconds), by the part of its Message-ID before the @.
  ///
  /// - Parameter recipient: Needs no escaping.
  func mailTimes(to recipient: String) async throws -> [String: Int64] {
    struct Mail: Decodable {
      var sequence: Int
      var receivedAt: String
      var messageId: String?
    }
    struct List: Decodable { var mails: [Mail] }
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var times: [String: Int64] = [:]
    var after = 0
    while true {
      let list = try await get("/api/mails?limit=1000&after=\(after)&to=\(recipient)", List.self).mails
      guard let last = list.last else { return times }
      for mail in list {
        guard let id = mail.messageId?.drop(while: { $0 == "<" }).prefix(while: { $0 != "@" }) else { continue }
        let time = try format.parse(mail.receivedAt).timeIntervalSince1970
        times[String(id)] = Int64((time * 1_000).rounded()) * 1_000_000
      }
      after = last.sequence
    }
  }

  /// Whether mails are signed by DKIM, as one that was accepted shows.
  func hasSignedMails() async throws -> Bool {
    struct Mail: Decodable { var raw: String }
    struct List: Decodable { var mails: [Mail] }
    return try await get("/api/mails?limit=1", List.self).mails.first?.raw.hasPrefix("DKIM-Signature:") ?? false
  }

  /// Lets every answer of a channel wait, from now until the next reset.
  ///
  /// - Parameter stage: Of a mail: `recipient` or `message`.
  func delay(_ channel: String, stage: String, by latency: Duration) async throws {
    try await add(
      Fault(
        match: Fault.Match(channel: channel),
        effect: Fault.Effect(kind: "latency", milliseconds: Int(latency / .milliseconds(1)), stage: stage)
      )
    )
  }

  func add(_ fault: Fault) async throws {
    let answer = try await post("/api/faults", JSONEncoder().encode(fault))
    guard answer.status == 201 else { throw BenchError("the simulator answered \(answer.status) to a fault") }
  }

  /// A new browser of the simulator's push service.
  ///
  /// - Parameter key: With which its pushes have to be signed, as `subscribe` takes it.
  func subscribe(for key: String) async throws -> Subscription {
    let answer = try await post("/api/webpush/subscriptions", JSONEncoder().encode(["applicationServerKey": key]))
    guard answer.status == 201 else { throw BenchError("the simulator answered \(answer.status) to a browser") }
    return try JSONDecoder().decode(Subscription.self, from: Data(answer.body))
  }

  private func post(_ path: String, _ body: Data) async throws -> HTTPResponse {
    try await client.send(
      HTTPRequest(
        method: "POST",
        url: url + path,
        headers: [(name: "Content-Type", value: "application/json")],
        body: Array(body)
      )
    )
  }

  /// Forgets all that has arrived, and every delay.
  func reset() async throws {
    let answer = try await client.send(HTTPRequest(method: "POST", url: url + "/api/reset"))
    guard answer.status == 204 else { throw BenchError("the simulator answered \(answer.status) to a reset") }
  }

  private func get<Answer: Decodable>(_ path: String, _ type: Answer.Type) async throws -> Answer {
    let answer = try await client.send(HTTPRequest(url: url + path))
    guard answer.status == 200 else { throw BenchError("the simulator answered \(answer.status) to \(path)") }
    return try JSONDecoder().decode(type, from: Data(answer.body))
  }
}
