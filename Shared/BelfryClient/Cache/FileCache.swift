public import Foundation

/// Keeps a file for each user in a folder, on Apple's platforms readable from the first unlocking after a restart on: extensions and
/// background refreshes run while the phone is locked.
public actor FileCache: NotificationCache {
  /// The longest file that is read, in bytes.
  private static let maximumSize = 16 << 20
  private static let prefix = "belfry-inbox-"

  /// With the user, since the file's name is a hash.
  private struct Content: Codable {
    let user: String
    let inbox: CachedInbox
  }

  private let directory: URL

  /// - Parameter directory: Is made if it is not there; in an app group if an extension is to read it.
  public init(directory: URL) {
    self.directory = directory
  }

  public func load(user: String) -> CachedInbox? {
    guard let size = try? file(user).resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.maximumSize,
      let data = try? Data(contentsOf: file(user)), let content = try? JSONDecoder().decode(Content.self, from: data),
      content.user == user
    else { return nil }
    return content.inbox
  }

  public func save(_ inbox: CachedInbox, user: String) {
    guard let data = try? JSONEncoder().encode(Content(user: user, inbox: inbox)) else { return }
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    #if canImport(Darwin)
      let options: Data.WritingOptions = [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
    #else
      let options: Data.WritingOptions = .atomic
    #endif
    try? data.write(to: file(user), options: options)
  }

  public func remove(user: String) {
    try? FileManager.default.removeItem(at: file(user))
  }

  public func removeAll() {
    let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    for file in files where file.lastPathComponent.hasPrefix(Self.prefix) && file.pathExtension == "json" {
      try? FileManager.default.removeItem(at: file)
    }
  }

  private func file(_ user: String) -> URL {
    var hash = StableHash()
    hash.combine(user)
    return directory.appending(path: "\(Self.prefix)\(String(hash.value, radix: 16)).json")
  }
}
