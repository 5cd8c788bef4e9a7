import Cryptography
import Foundation
import Logging
import ServiceRuntime
import Transport

/// The certificates that sign SNS messages, each fetched once.
///
/// A topic's name is no secret: anybody can name certificates that are not there, and have them asked for.
actor SNSCertificates {
  /// Gets a web page of Amazon's.
  typealias Fetch = @Sendable (_ url: String) async throws -> [UInt8]

  private struct Known {
    let certificate: Certificate
    let since: Date
    /// Whether a message was signed by it.
    var isProven = false
  }

  private static let maximumCertificates = 16
  /// Fetches in a minute: of all, and of who sends from one network.
  private static let maximumFetches = (all: 30, network: 5)
  /// How long a certificate that was not to be had is not asked for again.
  private static let pause: TimeInterval = 10

  private let fetch: Fetch
  private var certificates: [String: Known] = [:]
  /// Whoever wants one that is on its way waits for it with the others.
  private var pending: [String: Task<Certificate, any Error>] = [:]
  private var failures: [String: Date] = [:]
  private var fetches: [(time: Date, network: ClientNetwork?)] = []

  init(fetch: @escaping Fetch) {
    self.fetch = fetch
  }

  /// - Parameters:
  ///   - url: On a host of Amazon's: the caller has looked.
  ///   - network: Who sent the message.
  func certificate(at url: String, for network: ClientNetwork?, now: Date) async throws(BounceRefusal) -> Certificate {
    if let known = certificates[url] { return known.certificate }
    let task: Task<Certificate, any Error>
    if let pending = pending[url] {
      task = pending
    } else {
      failures = failures.filter { abs($0.value.timeIntervalSince(now)) <= Self.pause }
      guard failures[url] == nil else { throw .unavailable("the certificate was not to be had just now") }
      try admit(network, now: now)
      // Not the caller's: others may wait for it. It ends with the fetch's timeout.
      task = Task { try await get(url, now: now) }
      pending[url] = task
    }
    switch await task.result {
    case .success(let certificate): return certificate
    case .failure(let error): throw .unavailable("there is no certificate of Amazon's: \(error)")
    }
  }

  /// Says that a message is signed by the certificate: it is not given up for one that nobody needed yet.
  func prove(_ url: String) {
    certificates[url]?.isProven = true
  }

  /// Confirms a subscription.
  func confirm(_ url: String, for network: ClientNetwork?, now: Date) async throws(BounceRefusal) {
    try admit(network, now: now)
    do {
      _ = try await fetch(url)
    } catch {
      throw .unavailable("Amazon does not answer: \(error)")
    }
  }

  private func get(_ url: String, now: Date) async throws -> Certificate {
    defer { pending[url] = nil }
    do {
      let certificate = try Self.certificate(try await fetch(url))
      if certificates.count >= Self.maximumCertificates {
        let oldest = certificates.min {
          ($0.value.isProven ? 1 : 0, $0.value.since) < ($1.value.isProven ? 1 : 0, $1.value.since)
        }
        if let oldest { certificates[oldest.key] = nil }
      }
      certificates[url] = Known(certificate: certificate, since: now)
      return certificate
    } catch {
      failures[url] = now
      throw error
    }
  }

  /// A page that is a certificate in PEM, and nothing beside: an answer in which one is quoted is none.
  private static func certificate(_ page: [UInt8]) throws -> Certificate {
    let text = String(decoding: page, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.hasPrefix("-----BEGIN CERTIFICATE-----"), text.hasSuffix("-----END CERTIFICATE-----") else {
      throw BounceRefusal.unavailable("what SigningCertURL leads to is no certificate")
    }
    return try Certificate(pem: text)
  }

  private func admit(_ network: ClientNetwork?, now: Date) throws(BounceRefusal) {
    fetches.removeAll { abs($0.time.timeIntervalSince(now)) > 60 }
    guard fetches.count < Self.maximumFetches.all,
      network == nil || fetches.count(where: { $0.network == network }) < Self.maximumFetches.network
    else { throw .unavailable("too many fetches in a minute") }
    fetches.append((now, network))
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
