import Foundation

@testable import BelfrySender

extension BelfrySender {
  /// A sender whose pauses are the longest that jitter makes.
  static func testing(
    _ transport: any SenderTransport,
    credential: SenderCredential = .apiKey("belfry_test"),
    retries: RetryPolicy = RetryPolicy(),
    clock: TestClock = TestClock(),
    gateway: String = "https://belfry.example.com"
  ) throws -> BelfrySender {
    guard let url = URL(string: gateway) else { throw BrokenConnection() }
    return try BelfrySender(url, credential, retries, transport, clock) { 1 }
  }
}

extension SendRequest {
  static let hello = SendRequest(to: .user("ann"), type: 99).title("Hello").body("We are here.")
}

extension CheckedRequest {
  /// The body, as text.
  func text() throws -> String { String(decoding: try body(), as: UTF8.self) }

  /// Names of the fields that are wrong.
  func wrongFields() -> [String] {
    do throws(SenderError) {
      _ = try body()
      return []
    } catch {
      return error.fields.map(\.field)
    }
  }
}

/// The error that a call ends with.
func failure(_ call: () async throws -> Void) async throws -> SenderError {
  do {
    try await call()
  } catch let error as SenderError {
    return error
  }
  throw BrokenConnection()
}
