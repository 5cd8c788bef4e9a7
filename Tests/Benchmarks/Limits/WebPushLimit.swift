import Cryptography
import Foundation
import LocalStack

/// Pushes to one browser of the simulator: one that was encrypted and signed beforehand, again and again by libcurl's plain loop, and
/// new ones by pywebpush.
struct WebPushLimit {
  private let bench: Bench
  private let target: CurlLoop.Target

  /// As the dispatcher's.
  static let text = Array(
    """
    {"web_push":8030,"notification":{"title":"Allowance received","body":"You received $10.00. Your balance is $42.00.",\
    "tag":"0193b1f0-0000-7000-8000-000000000000","lang":"en","data":{"amount":"$10.00","balance":"$42.00",\
    "notificationId":"0193b1f0-0000-7000-8000-000000000000","type":"10","receipt":"\(String(repeating: "r", count: 107))"}},\
    "app_badge":1}
    """.utf8
  )

  init(_ bench: Bench) async throws {
    self.bench = bench
    let stack = bench.stack
    let browser = try await bench.simulator.subscribe(for: stack.vapidPublicKey)
    guard let point = Base64URL.bytes(browser.keys.p256dh.utf8), let secret = Base64URL.bytes(browser.keys.auth.utf8)
    else { throw BenchError("the simulator's browser has no keys") }
    let key = try String(contentsOfFile: "\(stack.configuration.directory)/vapid.pem", encoding: .utf8)
    let authorization = try VAPIDKey(PrivateKey(pem: key, .p256)).authorization(
      for: "https://localhost:\(stack.webPushPort)",
      subject: "mailto:belfry@example.com",
      expiry: Int(Date.now.timeIntervalSince1970) + 43_200
    )
    target = CurlLoop.Target(
      url: browser.endpoint,
      caFile: "\(stack.simulatorDirectory)/ca.pem",
      headers: [
        "Content-Type: application/octet-stream", "Content-Encoding: aes128gcm", "Urgency: high", "TTL: 86400",
        "Topic: \(String(repeating: "t", count: 32))", "Authorization: \(authorization)",
      ],
      body: try PushMessageEncryption.encrypt(Self.text, for: PublicKey(p256: point), secret: secret),
      status: 201
    )
  }

  func loop(_ count: Int) async throws -> CurlLoop.Result {
    try await CurlLoop.run(target, count: count)
  }

  func pywebpush(_ count: Int) async throws -> ForeignSender.Result {
    try await ForeignSender.run(
      "pywebpush_rate.py",
      ["--authority", target.caFile, "--control", bench.stack.simulator.url, "--count", "\(count)"]
    )
  }
}
