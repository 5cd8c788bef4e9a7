import Cryptography
import Foundation
import Logging
import Transport

/// The certificates that sign SNS messages, each fetched once.
actor SNSCertificates {
  /// Gets a web page of Amazon's.
  typealias Fetch = @Sendable (_ url: String) async throws -> [UInt8]

  private static let maximumCertificates = 16
  /// Fetches in a minute: a topic's name is no secret, and each address that it is asked for with would be another one.
  private static let maximumFetches = 10

  private let fetch: Fetch
  private var certificates: [String: Certificate] = [:]
  private var fetches: [Date] = []

  init(fetch: @escaping Fetch) {
    self.fetch = fetch
  }

  /// - Parameter url: On a host of Amazon's: the caller has looked.
  func certificate(at url: String, now: Date) async throws(BounceRefusal) -> Certificate {
    if let known = certificates[url] { return known }
    let text = try await page(url, now: now)
    guard let certificate = try? Certificate(pem: String(decoding: text, as: UTF8.self)) else {
      throw .unavailable("what SigningCertURL leads to is no certificate")
    }
    if certificates.count >= Self.maximumCertificates { certificates = [:] }
    certificates[url] = certificate
    return certificate
  }

  /// Confirms a subscription.
  func confirm(_ url: String, now: Date) async throws(BounceRefusal) {
    _ = try await page(url, now: now)
  }

  private func page(_ url: String, now: Date) async throws(BounceRefusal) -> [UInt8] {
    fetches.removeAll { abs($0.timeIntervalSince(now)) > 60 }
    guard fetches.count < Self.maximumFetches else { throw .unavailable("too many fetches in a minute") }
    fetches.append(now)
    do {
      return try await fetch(url)
    } catch {
      throw .unavailable("Amazon does not answer: \(error)")
    }
  }

  /// Over a connection of its own, for it is seldom; redirects are no answers, and no address in a private network is asked.
  static func fetch(logger: Logger) -> Fetch {
    { url in
      var configuration = HTTPClientConfiguration()
      configuration.publicAddressesOnly = true
      configuration.timeout = .seconds(10)
      configuration.maximumResponseBody = 65_536
      let client = HTTPClient(configuration: configuration, logger: logger)
      let result: Result<HTTPResponse, TransportError>
      do throws(TransportError) {
        result = .success(try await client.send(HTTPRequest(url: url)))
      } catch {
        result = .failure(error)
      }
      await client.close()
      let response = try result.get()
      guard response.status == 200 else { throw BounceRefusal.unavailable("HTTP status \(response.status)") }
      return response.body
    }
  }
}
