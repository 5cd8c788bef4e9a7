import Foundation
import Testing

@testable import BelfryClient

struct PushStoreTests {
  private func folder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "belfry-\(UUID().uuidString)").appending(path: "a b")
  }

  @Test func `files outlast the process, one for each name`() async throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let store = FilePushStore(directory: folder)
    #expect(try await store.load("registration") == nil)
    try await store.save(Data("1".utf8), "registration")
    try await store.save(Data("2".utf8), "permission")
    #expect(try await FilePushStore(directory: folder).load("registration") == Data("1".utf8))
    #expect(try await FilePushStore(directory: folder).load("permission") == Data("2".utf8))
  }

  @Test func `what cannot be read now is no new installation`() async throws {
    struct Locked: PushStore {
      struct Failure: Error {}
      func load(_ name: String) async throws -> Data? { throw Failure() }
      func save(_ data: Data, _ name: String) async throws { Issue.record("It was replaced.") }
    }
    let http = ScriptedHTTP { _ in HTTPResponse(status: 204) }
    let client = BelfryClient(try testConfiguration(http)) { _ in signedToken("anna") }
    let registration = PushRegistration(client, store: Locked())
    let error = await #expect(throws: BelfryError.self) { try await registration.register(.fcmToken("one")) }
    #expect(error?.code == .unavailable)
    #expect(http.sent.isEmpty)
    #expect(await registration.signOut() == false)
  }

  @Test func `a broken file is as good as none`() async throws {
    let store = MemoryPushStore()
    await store.save(Data("{".utf8), RegistrationRecord.name)
    #expect(try await store.read(RegistrationRecord.name, as: RegistrationRecord.self) == nil)
  }

  @Test func `it lies beside the cache`() async throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    var configuration = try testConfiguration(ScriptedHTTP { _ in HTTPResponse(status: 204) })
    configuration.cacheDirectory = folder
    let id = try await PushRegistration(BelfryClient(configuration) { _ in "" }).installation
    #expect(try await PushRegistration(BelfryClient(configuration) { _ in "" }).installation == id)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) == [
        "belfry-push-registration.json"
      ]
    )
  }
}
