import Authentication
import Cryptography
import Foundation
import LocalStack

/// The same push again and again to the simulator's APNs: by libcurl's plain loop, by h2load, and by aioapns.
struct APNsLimit {
  /// As many pushes at a time as Apple lets on a connection of token-based clients.
  static let streams = 250

  private let stack: BelfryStack
  private let target: CurlLoop.Target
  private let path = "/3/device/\(String(repeating: "0123456789abcdef", count: 4))"

  init(_ stack: BelfryStack) throws {
    self.stack = stack
    struct Claims: Encodable {
      var iss = "BELFRYTEAM"
      var iat = Int(Date.now.timeIntervalSince1970)
    }
    let key = try String(contentsOfFile: "\(stack.simulatorDirectory)/apns-production.p8", encoding: .utf8)
    let token = try TokenSigner(key: PrivateKey(pem: key, .p256), keyID: "PRODUCTION").sign(Claims())
    let body = """
      {"aps":{"alert":{"title":"Allowance received","body":"You received $10.00. Your balance is $42.00."},"badge":1,\
      "sound":"default","category":"allowance.received"},"amount":"$10.00","balance":"$42.00","notificationId":\
      "0193b1f0-0000-7000-8000-000000000000","type":"10"}
      """
    target = CurlLoop.Target(
      url: "https://localhost:\(stack.apnsPort)\(path)",
      caFile: "\(stack.simulatorDirectory)/ca.pem",
      headers: [
        "apns-topic: com.example.belfry", "apns-push-type: alert", "apns-priority: 10",
        "apns-id: 0193b1f0-0000-7000-8000-000000000000", "apns-collapse-id: 0193b1f0-0000-7000-8000-000000000000",
        "apns-expiration: \(Claims().iat + 86_400)", "authorization: bearer \(token)",
      ],
      body: Array(body.utf8)
    )
  }

  func loop(_ count: Int) async throws -> CurlLoop.Result {
    try await CurlLoop.run(target, window: Self.streams, count: count)
  }

  /// Pushes per second.
  func h2load(_ count: Int) async throws -> Double {
    try await H2Load.run(
      // It takes any certificate.
      url: "https://127.0.0.1:\(stack.apnsPort)\(path)",
      headers: target.headers,
      body: target.body,
      streams: Self.streams,
      count: count,
      directory: stack.configuration.directory
    )
  }

  func aioapns(_ count: Int) async throws -> ForeignSender.Result {
    try await ForeignSender.run(
      "aioapns_rate.py",
      [
        "--keys", stack.simulatorDirectory, "--authority", target.caFile, "--port", "\(stack.apnsPort)", "--count",
        "\(count)", "--concurrency", "\(Self.streams)",
      ]
    )
  }
}
