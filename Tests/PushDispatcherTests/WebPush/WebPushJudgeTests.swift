import Cryptography
import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import TestSupport
import Testing

@testable import PushDispatcher
@testable import Transport

/// Our pushes, decrypted and verified by http_ece, py_vapid and PyJWT; see `webpush_judge.py`.
@Suite struct WebPushJudgeTests {
  private static let script = "Tests/PushDispatcherTests/webpush_judge.py"

  private struct Case {
    let browser: Browser
    let request: HTTPRequest
    let key: VAPIDKey

    /// A line for the judge.
    ///
    /// - Parameter change: Of its members.
    func line(_ change: (inout [String: String]) -> Void = { _ in }) throws -> [UInt8] {
      var members = [
        "body": Base64URL.encode(request.body),
        "authorization": request.headers.first { $0.name == "Authorization" }?.value ?? "",
        "private": browser.key.pem, "auth": Base64URL.encode(browser.secret),
        "origin": "https://updates.push.services.mozilla.com", "key": key.publicText,
        "text": try browser.read(request.body),
      ]
      change(&members)
      return Array(JSONWriter.object(members).utf8)
    }
  }

  private func made(_ bodies: [String]) async throws -> [Case] {
    let service = ScriptedPushService()
    let key = try VAPIDKey(PrivateKey(.p256))
    let sender = WebPushSender(
      concurrency: 1,
      hosts: .standard,
      appearance: WebAppearance(),
      receipts: .none,
      client: service,
      signatures: VAPIDSignatures(keys: [key], subject: "mailto:a@example.com"),
      logger: .quiet
    )
    var browsers: [Browser] = []
    for body in bodies {
      let browser = try Browser()
      browsers.append(browser)
      guard case .delivered = await sender.push(browser.targeted(try Browser.content(body: body))) else {
        throw CocoaError(.coderInvalidValue)
      }
    }
    return zip(browsers, service.requests).map { Case(browser: $0, request: $1, key: key) }
  }

  private func objections(to lines: [[UInt8]]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-judge-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: file)
    return try Python.lines(of: Self.script, [file.path]).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `the judges read and verify every push as it was meant`() async throws {
    let bodies = ["", "Hello", "Grüße, 👨‍👩‍👧‍👦", String(repeating: "x", count: 5_000)]
    let cases = try await made(bodies + (0..<50).map { String(repeating: "y", count: $0) })
    #expect(cases.count == 54)
    #expect(try objections(to: cases.map { try $0.line() }) == [])
  }

  @Test func `the judges would say so if one were wrong`() async throws {
    let one = try #require(try await made(["Hello"]).first)
    let other = try #require(try await made(["Hello"]).first)
    let wrong = [
      try one.line { $0["text"] = "Hello" }, try one.line { $0["auth"] = Base64URL.encode(other.browser.secret) },
      try one.line { $0["private"] = other.browser.key.pem }, try one.line { $0["key"] = other.key.publicText },
      try one.line { $0["origin"] = "https://push.example" },
      try one.line { $0["authorization"] = $0["authorization"]?.replacing("k=B", with: "k=C") },
    ]
    #expect(try objections(to: wrong).count == wrong.count)
  }
}
