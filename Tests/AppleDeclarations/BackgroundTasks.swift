public import Dispatch
public import Foundation

/// Work that iOS lets the app do behind. Not `Sendable`, as little as Apple's.
open class BGTask: NSObject {
  public let identifier: String
  public var expirationHandler: (() -> Void)?

  /// What the app said, for tests.
  public private(set) var success: Bool?

  /// Apple's has no initializer: this one is for tests.
  public init(identifier: String) { self.identifier = identifier }

  public func setTaskCompleted(success: Bool) { self.success = success }
}

public final class BGAppRefreshTask: BGTask {}

open class BGTaskRequest: NSObject {
  public let identifier: String
  public var earliestBeginDate: Date?

  init(identifier: String) { self.identifier = identifier }
}

public final class BGAppRefreshTaskRequest: BGTaskRequest {
  public override init(identifier: String) { super.init(identifier: identifier) }
}

/// In memory: tests carry out what the app has asked for.
public final class BGTaskScheduler: Sendable {
  public static let shared = BGTaskScheduler()

  private struct State {
    var handlers: [String: (queue: DispatchQueue?, launch: @Sendable (BGTask) -> Void)] = [:]
    var requests: [String: Date?] = [:]
  }

  private let lock = NSLock()
  nonisolated(unsafe) private var state = State()

  // MARK: For tests

  /// What was asked for, by identifiers: when at the earliest.
  public var requests: [String: Date?] { lock.withLock { state.requests } }

  /// Runs the handler of an identifier on its queue, and gives what the app said.
  public func launch(_ identifier: String) async -> Bool? {
    guard let handler = lock.withLock({ state.handlers[identifier] }) else { return nil }
    return await withCheckedContinuation { continuation in
      (handler.queue ?? .global()).async {
        let task = BGAppRefreshTask(identifier: identifier)
        handler.launch(task)
        continuation.resume(returning: task.success)
      }
    }
  }

  // MARK: Apple's

  public func register(
    forTaskWithIdentifier identifier: String,
    using queue: DispatchQueue?,
    launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool {
    lock.withLock { state.handlers.updateValue((queue, launchHandler), forKey: identifier) == nil }
  }

  public func submit(_ request: BGTaskRequest) throws {
    lock.withLock { state.requests[request.identifier] = request.earliestBeginDate }
  }
}
