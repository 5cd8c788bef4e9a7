import Cryptography
import Foundation
import TestSupport
import Testing

@testable import OperatorCLI

/// `belfry vapid`
@Suite struct VAPIDCommandTests {
  private func withFile(_ body: (String) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-vapid-\(UUID()).pem").path
    defer { try? FileManager.default.removeItem(atPath: file) }  // it may not be there
    try await body(file)
  }

  @Test func `it makes a key that its owner alone may read, and prints both settings and the key's id`() async throws {
    try await withFile { file in
      let run = try await CommandRun.run(["vapid", file])
      #expect(run.failure == nil)
      let key = try VAPIDKey(PrivateKey(pem: String(contentsOfFile: file, encoding: .utf8), .p256))
      #expect(run.lines.contains("  BELFRY_PUSH_WEBPUSH_KEY_FILE=\(file)"))
      #expect(run.lines.contains("  BELFRY_GATEWAY_VAPID_PUBLIC_KEY=\(key.publicText)"))
      #expect(run.lines.last == "The key's id, in logs and in the column vapid_key of devices: \(key.id)")
      #expect(!run.output.contains("PRIVATE"))
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `a key that is there stays, and its public half is shown again`() async throws {
    try await withFile { file in
      let first = try await CommandRun.run(["vapid", file])
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let again = try await CommandRun.run(["vapid", file])
      #expect(again.failure == nil)
      #expect(again.lines.dropFirst() == first.lines.dropFirst())
      #expect(again.lines.first == "\(file) is there already, and stays as it is.")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }
  }

  @Test func `what is no key is not written over`() async throws {
    try await withFile { file in
      for text in ["", "mine", try PrivateKey(.rsa).pem] {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await CommandRun.run(["vapid", file])
        #expect(run.failure == "\(file) is there already, and is no VAPID key: name another file")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
      }
    }
    let nowhere = try await CommandRun.run(["vapid", "/nowhere/vapid.pem"])
    #expect(nowhere.failure == "/nowhere/vapid.pem: cannot be written")
  }
}
