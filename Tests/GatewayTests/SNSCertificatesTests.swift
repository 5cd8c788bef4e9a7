import Foundation
import HTTPTypes
import NIOCore
import ServiceRuntime
import Synchronization
import Testing

@testable import Gateway

@Suite struct SNSCertificatesTests {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let signer: BounceSigner

  init() throws {
    signer = try BounceSigner.shared.get()
  }

  private static func url(_ number: Int) -> String {
    "https://\(BounceSigner.host)/SimpleNotificationService-\(number).pem"
  }

  /// Certificates of Amazon's that are there, or are not.
  private func certificates(
    _ fetches: BounceSigner.Fetches,
    isThere: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> SNSCertificates {
    SNSCertificates { [certificate = signer.certificate] url in
      fetches.add(url)
      guard isThere(url) else { throw BounceRefusal.unavailable("HTTP status 404") }
      return Array(certificate.utf8)
    }
  }

  @Test func `ten messages that come at once need one fetch`() async throws {
    let fetches = BounceSigner.Fetches()
    let (answers, answer) = AsyncStream<Void>.makeStream()
    let certificates = SNSCertificates { [certificate = signer.certificate] url in
      fetches.add(url)
      for await _ in answers { break }
      return Array(certificate.utf8)
    }
    let (begun, begin) = AsyncStream<Void>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          begin.yield()
          _ = try await certificates.certificate(at: Self.url(1), for: nil, now: Self.start)
        }
      }
      var count = 0
      for await _ in begun {
        count += 1
        if count == 10 { break }
      }
      answer.finish()
      try await group.waitForAll()
    }
    #expect(fetches.all == [Self.url(1)])
  }

  @Test func `who names certificates that are not there uses up fetches of their own network alone`() async throws {
    let fetches = BounceSigner.Fetches()
    let certificates = certificates(fetches) { $0 == Self.url(1) }
    let stranger = ClientNetwork(try SocketAddress(ipAddress: "192.0.2.1", port: 1), [:], trustsProxy: false)
    let amazon = ClientNetwork(try SocketAddress(ipAddress: "198.51.100.1", port: 1), [:], trustsProxy: false)
    for number in 2..<20 {
      await #expect(throws: BounceRefusal.self) {
        _ = try await certificates.certificate(at: Self.url(number), for: stranger, now: Self.start)
      }
    }
    #expect(fetches.all.count == 5)
    _ = try await certificates.certificate(at: Self.url(1), for: amazon, now: Self.start)
    #expect(fetches.all.count == 6)
  }

  @Test func `a certificate that signed something is not given up for those that signed nothing`() async throws {
    let fetches = BounceSigner.Fetches()
    let certificates = certificates(fetches)
    for number in 1..<40 {
      let now = Self.start + Double(number) * 61
      _ = try await certificates.certificate(at: Self.url(number), for: nil, now: now)
      if number == 1 { await certificates.prove(Self.url(1)) }
    }
    let count = fetches.all.count
    _ = try await certificates.certificate(at: Self.url(1), for: nil, now: Self.start)
    #expect(fetches.all.count == count)
    _ = try await certificates.certificate(at: Self.url(2), for: nil, now: Self.start + 10_000)
    #expect(fetches.all.count == count + 1)
  }

  @Test func `one that was not to be had is asked for again after ten seconds`() async throws {
    let fetches = BounceSigner.Fetches()
    let isThere = Mutex(false)
    let certificates = certificates(fetches) { _ in isThere.withLock { $0 } }
    for _ in 0..<3 {
      await #expect(throws: BounceRefusal.self) {
        _ = try await certificates.certificate(at: Self.url(1), for: nil, now: Self.start)
      }
    }
    isThere.withLock { $0 = true }
    _ = try await certificates.certificate(at: Self.url(1), for: nil, now: Self.start + 11)
    #expect(fetches.all.count == 2)
  }
}
