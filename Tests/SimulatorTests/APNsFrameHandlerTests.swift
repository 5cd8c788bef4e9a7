import Authentication
import Foundation
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@testable import Simulator

/// How many streams a connection to the simulator's APNs may have.
struct APNsFrameHandlerTests {
  private struct Claims: Encodable {
    let iss: String
    let iat: Int
  }

  private let channel = EmbeddedChannel()
  private let faults = FaultList(random: { 0 })
  private let authorization: String
  private let token = String(repeating: "0a", count: 32)

  init() throws {
    let account = try DataDirectory.temporary { try APNsAccount(directory: $0) }
    let key = try #require(account.keys.first { $0.environment == .production })
    let claims = Claims(iss: APNsAccount.teamID, iat: Int(Date.now.timeIntervalSince1970))
    authorization = "bearer \(try TokenSigner(key: key.key, keyID: key.id).sign(claims))"
    let responder = APNsResponder(
      environment: .production,
      account: account,
      devices: APNsDevices(),
      faults: faults,
      log: APNsLog(maximumCount: 100, maximumBytes: 1_000_000)
    )
    try channel.pipeline.syncOperations.addHandler(APNsFrameHandler(responder: responder, streams: 100))
  }

  /// Pushes on a stream: the status, and the number of streams that the client is told with it, if any.
  private func push(_ stream: HTTP2StreamID, to token: String? = nil) throws -> (status: String?, streams: Int?) {
    let headers = HPACKHeaders([
      (":method", "POST"), (":path", "/3/device/\(token ?? self.token)"), ("authorization", authorization),
      ("apns-topic", APNsAccount.topic), ("apns-push-type", "alert"), ("apns-priority", "10"),
    ])
    let body = HTTP2Frame.FramePayload.Data(
      data: .byteBuffer(ByteBuffer(string: #"{"aps":{"alert":"Hello"}}"#)),
      endStream: true
    )
    try channel.writeInbound(HTTP2Frame(streamID: stream, payload: .headers(.init(headers: headers))))
    try channel.writeInbound(HTTP2Frame(streamID: stream, payload: .data(body)))
    var answer: (status: String?, streams: Int?) = (nil, nil)
    while let frame = try channel.readOutbound(as: HTTP2Frame.self) {
      switch frame.payload {
      case .headers(let headers): answer.status = headers.headers.first(name: ":status")
      case .settings(.settings(let settings)):
        answer.streams = settings.first { $0.parameter == .maxConcurrentStreams }?.value
      default: break
      }
    }
    return answer
  }

  @Test func `an accepted push opens many streams, a refused one leaves one, a failure changes nothing`() throws {
    #expect(try push(1) == ("200", 100))
    #expect(try push(3) == ("200", nil), "they are told once")
    #expect(try push(5, to: "xyz") == ("400", 1))
    #expect(try push(7, to: "xyz") == ("400", nil))
    #expect(try push(9) == ("200", 100))
    let failure = try FaultReader.read(
      Array(#"{"match":{"channel":"apns"},"effect":{"kind":"reason","text":"InternalServerError"}}"#.utf8)
    )
    _ = faults.add(failure.match, failure.effect, times: 1)
    #expect(try push(11) == ("500", nil))
    #expect(try push(13) == ("200", nil))
    _ = try channel.finish()
  }
}
