import Authentication
import Cryptography
import Foundation
import BelfryJSON
import Logging
import NotificationModel
import TestSupport
import Testing

@testable import PushDispatcher
@testable import Transport

/// What a pool knows beside its connections: its token, whether it is stopped, and how many tokens were refused.
@Suite struct APNsPoolTests {
  private let key = try! PrivateKey(.p256)
  private let start = ProviderTokens.Moment.now

  private func tokens() -> ProviderTokens { ProviderTokens(key: key, keyID: "KEY1234567", teamID: "TEAM123456") }

  private func part(_ index: Int, of token: String) throws -> JSONValue {
    let parts = token.split(separator: ".")
    return try JSONParser.parse([UInt8](try #require(Base64URL.decode(parts[index].utf8))))
  }

  @Test func `the token names key, team and time, and is signed by the key`() throws {
    let token = try tokens().current(at: start)
    let header = try part(0, of: token)
    #expect(header["alg"] == .string("ES256") && header["kid"] == .string("KEY1234567"))
    let claims = try part(1, of: token)
    #expect(claims["iss"] == .string("TEAM123456"))
    #expect(claims["iat"]?.integer == Int(start.wall.timeIntervalSince1970))
    let parts = token.split(separator: ".")
    let signature = [UInt8](try #require(Base64URL.decode(parts[2].utf8)))
    #expect(key.publicKey.isValid(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test func `one token serves for 50 minutes, and the next one as long`() throws {
    let tokens = tokens()
    let first = try tokens.current(at: start)
    #expect(try tokens.current(at: start.advanced(by: .seconds(3_000 - 1))) == first)
    let second = try tokens.current(at: start.advanced(by: .seconds(3_000)))
    #expect(second != first)
    #expect(try tokens.current(at: start.advanced(by: .seconds(5_999))) == second)
  }

  @Test func `a refused token is renewed once for all who had it, and never within 20 minutes`() throws {
    let tokens = tokens()
    let first = try tokens.current(at: start)
    #expect(try !tokens.renew(first, at: start.advanced(by: .seconds(1_199))))
    #expect(try tokens.current(at: start.advanced(by: .seconds(1_199))) == first)
    let later = start.advanced(by: .seconds(1_200))
    #expect(try tokens.renew(first, at: later))
    let second = try tokens.current(at: later)
    #expect(second != first)
    #expect(try tokens.renew(first, at: later), "another has renewed it")
    #expect(try tokens.current(at: later) == second)
    #expect(try !tokens.renew(second, at: later.advanced(by: .seconds(60))))
  }

  @Test func `a token that was signed by a wrong clock is renewed when that is set, but not within 20 minutes`() throws
  {
    let tokens = tokens()
    let first = try tokens.current(at: start)
    func later(_ seconds: Int, set: TimeInterval) -> ProviderTokens.Moment {
      var moment = start.advanced(by: .seconds(seconds))
      moment.wall += set
      return moment
    }
    #expect(try tokens.current(at: later(1_199, set: -7_200)) == first)
    for set in [-59.0, 0, 59] { #expect(try tokens.current(at: later(1_200, set: set)) == first) }
    let second = try tokens.current(at: later(1_200, set: -62))
    #expect(second != first)
    #expect(try tokens.current(at: later(2_400, set: -62)) == second)
    #expect(try tokens.current(at: later(2_400, set: 0)) != second)
  }

  @Test func `a stopped pool lets one push through each minute until one succeeds`() throws {
    let stop = PoolStop()
    let now = ContinuousClock.now
    #expect(stop.wait(at: now) == nil)
    #expect(stop.stop("InvalidProviderToken", at: now))
    #expect(!stop.stop("InvalidProviderToken", at: now), "said once")
    let waiting = try #require(stop.wait(at: now + .seconds(59)))
    #expect(waiting == ("InvalidProviderToken", .seconds(1)))
    #expect(stop.wait(at: now + .seconds(60)) == nil, "the one that asks")
    #expect(try #require(stop.wait(at: now + .seconds(61))).time == .seconds(59))
    #expect(stop.end() == "InvalidProviderToken")
    #expect(stop.wait(at: now + .seconds(62)) == nil)
    #expect(stop.end() == nil)
  }

  @Test(arguments: [
    (UInt32(0), "", Logger.Level.debug, ""), (0, "bye", .debug, "bye"), (0, #"{"reason":5}"#, .debug, #"{"reason":5}"#),
    (0, #"{"reason":"Shutdown"}"#, .warning, "Shutdown"), (11, "", .warning, ""),
    (2, #"{"reason":"BadCertificate"}"#, .warning, "BadCertificate"),
  ])
  func `a goodbye with a reason or an error is a warning, an ordinary one is not`(
    code: UInt32,
    text: String,
    level: Logger.Level,
    reason: String
  ) throws {
    let log = LogRecorder()
    APNsPool.report(HTTP2Goodbye(code: code, text: text), of: .sandbox, to: log.logger)
    let entry = try #require(log.all.first)
    #expect(log.all.count == 1 && entry.level == level)
    let metadata: Logger.Metadata = ["environment": "sandbox", "code": "\(code)", "reason": "\(reason)"]
    for (key, value) in metadata { #expect(entry.text.contains("\"\(key)\": \(value)"), "\(entry.text)") }
  }

  @Test func `twenty refused tokens in a minute, half of all, are too many to believe`() {
    let now = ContinuousClock.now
    let few = RefusedTokens()
    for _ in 1..<20 { #expect(!few.refused(at: now).isOneOfMany) }
    let (isOneOfMany, isNews) = few.refused(at: now)
    #expect(isOneOfMany && isNews)
    #expect(few.refused(at: now) == (true, false), "said once")

    let among = RefusedTokens()
    for _ in 0..<100 { among.accepted(at: now) }
    for _ in 0..<99 { #expect(!among.refused(at: now).isOneOfMany) }
    #expect(among.refused(at: now).isOneOfMany)

    let slow = RefusedTokens()
    for minute in 0..<10 {
      for _ in 0..<9 { #expect(!slow.refused(at: now + .seconds(60 * minute)).isOneOfMany) }
    }
  }
}
