public import Foundation

/// Keeps what has to outlast the app's process and a user's sign-out: the installation's UUID, what was registered, what was answered.
public protocol PushStore: Sendable {
  /// Nil where nothing was kept.
  ///
  /// - Throws: Where something is kept that cannot be read now, as before a phone's first unlocking.
  func load(_ name: String) async throws -> Data?
  func save(_ data: Data, _ name: String) async throws
}

/// Keeps it as long as it lives, for tests and previews.
public actor MemoryPushStore: PushStore {
  private var entries: [String: Data] = [:]

  public init() {}

  public func load(_ name: String) -> Data? { entries[name] }

  public func save(_ data: Data, _ name: String) { entries[name] = data }
}

/// Files in a folder, beside ``FileCache``'s. On Apple's platforms they are readable from the first unlocking after a restart on, and in no
/// backup: restored on another phone, they would make two phones one installation, of which Belfry pushes to one.
public actor FilePushStore: PushStore {
  /// The longest file that is read, in bytes.
  private static let maximumSize = 1 << 20

  private let directory: URL

  /// - Parameter directory: Is made if it is not there.
  public init(directory: URL) {
    self.directory = directory
  }

  public func load(_ name: String) throws -> Data? {
    let file = file(name)
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return nil }
    let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    // Not ours.
    return size <= Self.maximumSize ? try Data(contentsOf: file) : nil
  }

  public func save(_ data: Data, _ name: String) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    #if canImport(Darwin)
      try data.write(to: file(name), options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
      var file = file(name)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try file.setResourceValues(values)
    #else
      try data.write(to: file(name), options: .atomic)
    #endif
  }

  private func file(_ name: String) -> URL { directory.appending(path: "belfry-push-\(name).json") }
}

extension PushStore {
  /// What was kept under a name; nil where there is nothing, or something that no version of this client wrote.
  func read<Value: Decodable>(_ name: String, as type: Value.Type) async throws -> Value? {
    let data: Data?
    do {
      data = try await load(name)
    } catch {
      throw BelfryError(.unavailable, detail: "What is kept of pushes cannot be read now.")
    }
    return data.flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  func write<Value: Encodable>(_ value: Value, _ name: String) async throws {
    do {
      try await save(JSONEncoder().encode(value), name)
    } catch {
      throw BelfryError(.unavailable, detail: "What is to be kept of pushes cannot be written.")
    }
  }
}
