import Foundation
import Dispatch
import CPostgreSQL
import DriverExecutor
import Logging
import Synchronization

/// An open libpq connection; closed when the last reference goes.
///
/// Sendable because libpq's connections may move between threads as long as one uses them at a time: it is made on the
/// queue of the actor that then owns it, and dispatch sources hold it only so that the socket outlives them.
final class ConnectionHandle: @unchecked Sendable {
  let raw: OpaquePointer
  private let notices: Unmanaged<NoticeLog>

  private final class NoticeLog: Sendable {
    let logger: Logger
    init(_ logger: Logger) { self.logger = logger }
  }

  /// Takes over `raw`; the server's notices go to `logger` at debug level.
  private init(_ raw: OpaquePointer, logger: Logger) {
    self.raw = raw
    notices = .passRetained(NoticeLog(logger))
    PQsetNoticeProcessor(
      raw,
      { context, message in
        guard let context, let message else { return }
        let text = String(cString: message)
        Unmanaged<NoticeLog>.fromOpaque(context).takeUnretainedValue().logger.debug("\(text)")
      },
      notices.toOpaque()
    )
  }

  deinit {
    PQfinish(raw)
    notices.release()
  }

  /// Connects on the executor's queue, which blocks up to the connect timeout for each host: libpq's non-blocking way
  /// cannot go on to the next host when one does not answer. Cancellation returns at once; the attempt ends by itself.
  static func open(
    _ configuration: PostgresConfiguration,
    on executor: QueueExecutor,
    logger: Logger
  ) async throws(PostgresError) -> ConnectionHandle {
    let parameters = try configuration.parameters()
    let attempt = Attempt()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        attempt.start(continuation)
        executor.queue.async { attempt.end(connect(parameters, logger: logger)) }
      }
    } onCancel: {
      attempt.end(.failure(PostgresError(.cancelled)))
    }
    return try outcome.get()
  }

  private static func connect(
    _ parameters: [(key: String, value: String)],
    logger: Logger
  ) -> Result<ConnectionHandle, PostgresError> {
    let keys = parameters.map { strdup($0.key) } + [nil]
    let values = parameters.map { strdup($0.value) } + [nil]
    defer { (keys + values).forEach { free($0) } }
    let raw = keys.map { UnsafePointer($0) }.withUnsafeBufferPointer { keys in
      values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
        PQconnectdbParams(keys.baseAddress, values.baseAddress, 1)
      }
    }
    guard let raw else { return .failure(PostgresError(.cannotConnect, "out of memory")) }
    guard PQstatus(raw) == CONNECTION_OK, PQsetnonblocking(raw, 1) == 0, PQenterPipelineMode(raw) == 1 else {
      // libpq's words name host, user and database, never the password.
      let reason = String(cString: PQerrorMessage(raw)).split(separator: "\n").joined(separator: "; ")
      PQfinish(raw)
      return .failure(PostgresError(.cannotConnect, reason))
    }
    return .success(ConnectionHandle(raw, logger: logger))
  }

  /// Answers whoever waits for the connection once: with the outcome or with the cancellation.
  private final class Attempt: Sendable {
    typealias Outcome = Result<ConnectionHandle, PostgresError>
    private enum State {
      case idle
      case waiting(CheckedContinuation<Outcome, Never>)
      case ended(Outcome)
    }
    private let state = Mutex(State.idle)

    func start(_ continuation: CheckedContinuation<Outcome, Never>) {
      let early: Outcome? = state.withLock {
        if case .ended(let outcome) = $0 { return outcome }
        $0 = .waiting(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }

    func end(_ outcome: Outcome) {
      let waiting: CheckedContinuation<Outcome, Never>? = state.withLock {
        switch $0 {
        case .ended: return nil
        case .idle:
          $0 = .ended(outcome)
          return nil
        case .waiting(let continuation):
          $0 = .ended(.failure(PostgresError(.cancelled)))
          return continuation
        }
      }
      waiting?.resume(returning: outcome)
    }
  }
}
