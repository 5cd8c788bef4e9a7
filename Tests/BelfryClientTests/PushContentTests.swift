import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct PushContentTests {
  private let clock = TestClock()
  private let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])

  private func content(_ members: [String: Any], aps: [String: Any] = [:]) throws -> PushContent {
    var userInfo: [AnyHashable: Any] = ["type": "20", "aps": aps]
    for (name, value) in members { userInfo[name] = value }
    return try #require(PushContent(userInfo: userInfo))
  }

  @Test func `badge and thread are the push's own, else the thread is the related entity`() throws {
    let own = try content(
      ["relatedEntityType": "goal", "relatedEntityId": "7"],
      aps: ["badge": 4, "thread-id": "key"]
    )
    #expect(own.badge == 4)
    #expect(own.threadIdentifier == "key")
    let other = try content(["relatedEntityType": "goal", "relatedEntityId": "7"])
    #expect(other.badge == nil)
    #expect(other.threadIdentifier == "goal:7")
    #expect(try content([:]).threadIdentifier == nil)
    #expect(PushContent(userInfo: ["aps": ["badge": 4]]) == nil)
  }

  @Test(arguments: [
    "http://example.com/a.png", "file:///etc/passwd", "https://", "https://user@example.com/a.png",
    "https://user:word@example.com/a.png", "javascript:1", "a.png", "",
    "https://example.com/" + String(repeating: "x", count: 2_100),
  ])
  func `an image comes by HTTPS alone`(text: String) throws {
    #expect(try content(["imageUrl": text]).image == nil)
  }

  @Test func `an image is known by its bytes`() throws {
    #expect(try content(["imageUrl": "https://example.com/a"]).image?.absoluteString == "https://example.com/a")
    #expect(PushImage(jpeg)?.fileExtension == "jpg")
    #expect(PushImage(Data([0x89, 0x50, 0x4E, 0x47, 13]))?.fileExtension == "png")
    #expect(PushImage(Data("GIF89a".utf8))?.fileExtension == "gif")
    #expect(PushImage(Data("<svg/>".utf8)) == nil)
    #expect(PushImage(Data()) == nil)
    #expect(PushImage(jpeg + Data(count: PushImage.maximumSize - jpeg.count)) != nil)
    #expect(PushImage(jpeg + Data(count: PushImage.maximumSize - jpeg.count + 1)) == nil)
  }

  @Test func `it is written under its kind's name`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try #require(PushImage(jpeg)).write(to: folder)
    #expect(file.pathExtension == "jpg")
    #expect(try Data(contentsOf: file) == jpeg)
  }

  private func client(_ http: ScriptedHTTP) throws -> BelfryClient {
    BelfryClient(try testConfiguration(http, clock: clock)) { _ in "" }
  }

  @Test func `the push is reported as displayed while its image is read, without a token`() async throws {
    let jpeg = jpeg
    let http = ScriptedHTTP { request in
      HTTPResponse(status: request.method == "GET" ? 200 : 204, body: request.method == "GET" ? jpeg : Data())
    }
    let push = try content(["imageUrl": "https://example.com/a.jpg", "receipt": "AU-r"])
    #expect(try await client(http).prepare(push)?.data == jpeg)
    #expect(
      Set(http.sent.map(\.url.absoluteString)) == [
        "https://example.com/a.jpg", "https://belfry.test/api/v1/receipts/AU-r",
      ]
    )
    #expect(http.sent.allSatisfy { $0.token == nil })
    #expect(http.sent.contains { $0.text == #"{"event":"displayed"}"# })
  }

  @Test(arguments: [302, 404, 500]) func `an image that does not come costs nothing else`(status: Int) async throws {
    let jpeg = jpeg
    let http = ScriptedHTTP { _ in HTTPResponse(status: status, body: jpeg) }
    let push = try content(["imageUrl": "https://example.com/a.jpg", "receipt": "AU-r"])
    #expect(try await client(http).prepare(push) == nil)
    #expect(http.sent.count == 2)
  }

  @Test func `after ten seconds the push is shown without it`() async throws {
    let http = ScriptedHTTP { _ in
      try await Task.sleep(for: .seconds(86_400))
      return HTTPResponse(status: 204)
    }
    let client = try client(http)
    let push = try content(["imageUrl": "https://example.com/a.jpg", "receipt": "AU-r"])
    let start = clock.now
    let result = Locked<PushImage??>(nil)
    let work = Task {
      let image = await client.prepare(push)
      result.withLock { $0 = .some(image) }
    }
    #expect(await clock.advance(upTo: .seconds(20)) { result.withLock { $0 } == .some(nil) })
    #expect(clock.now.timeIntervalSince(start) < 11)
    work.cancel()
  }
}
