import ArgumentParser
import ConsoleCommands
import Cryptography
import Foundation
import Glibc

/// `belfry vapid`
struct VAPIDCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "vapid",
    abstract: "Makes the key with which browsers subscribe to pushes, or shows the public half of one.",
    discussion: """
      It writes the key (VAPID, RFC 8292) into a file that only you may read, and prints the settings of push dispatcher and gateway, and the key's id. \
      If the file is there already, it stays as it is, and its public half is shown. A browser's subscription holds only with the key \
      that it was made with: keep the key, and replace it as docs/push.md says.
      """
  )

  @Argument(help: "Where the key is, or is to be.", completion: .file())
  var file = "vapid.pem"

  init() {}

  func validate() throws {
    if file.isEmpty { throw ValidationError("expected the name of a file") }
  }

  func run(on console: Console) async throws {
    let (key, isNew) = try Self.key(file)
    let path = URL(filePath: file).standardizedFileURL.path
    try console.say(
      isNew
        ? "\(file) has the key, and only you may read it. Keep a copy: without it no browser of today is reached."
        : "\(file) is there already, and stays as it is."
    )
    try console.say("Push dispatcher:")
    try console.say("  BELFRY_PUSH_WEBPUSH_KEY_FILE=\(path)")
    try console.say("Gateway:")
    try console.say("  BELFRY_GATEWAY_VAPID_PUBLIC_KEY=\(key.publicText)")
    try console.say("The key's id, in logs and in the column vapid_key of devices: \(key.id)")
  }

  /// The key in the file, which is made if there is none.
  private static func key(_ file: String) throws -> (key: VAPIDKey, isNew: Bool) {
    // Nobody else may read it, at no moment; what is there already is not written over.
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw CommandFailure("\(file): cannot be written") }
      return (try existing(file), false)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let key = try VAPIDKey(PrivateKey(.p256))
      try handle.write(contentsOf: Data(key.pem.utf8))
      try handle.synchronize()
      try handle.close()
      return (key, true)
    } catch {
      // Half a key is none.
      unlink(file)
      throw CommandFailure("\(file): cannot be written")
    }
  }

  private static func existing(_ file: String) throws(CommandFailure) -> VAPIDKey {
    guard let text = FileManager.default.contents(atPath: file) else {
      throw CommandFailure("\(file) is there already, and cannot be read")
    }
    do {
      return try VAPIDKey(PrivateKey(pem: String(decoding: text, as: UTF8.self), .p256))
    } catch {
      throw CommandFailure("\(file) is there already, and is no VAPID key: name another file")
    }
  }
}
