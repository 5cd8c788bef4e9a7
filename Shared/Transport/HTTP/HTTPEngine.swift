import Dispatch
import DriverExecutor
import Logging

/// Runs HTTP requests on libcurl, on a dispatch queue of its own.
///
/// Requests whose answers are collected share their connections. One whose answer is handed on has its own, from which nothing is
/// read while its caller works on a piece. From a shared HTTP/2 connection libcurl reads on for the others, and keeps what comes
/// for this one, up to its window of 32 MiB.
actor HTTPEngine {
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let configuration: HTTPClientConfiguration
  private let logger: Logger
  private let executor = QueueExecutor(label: "belfry.http")

  /// By the numbers under which their callers, timers and sources find them.
  private var transfers: [UInt64: HTTPTransfer] = [:]
  private var lastNumber: UInt64 = 0

  /// What most transfers run on.
  private var shared: CurlMulti?
  private var isClosed = false

  /// Then others on the queue get their turn, in case libcurl wants to run without end.
  private let roundsInOneGo = 100

  init(_ configuration: HTTPClientConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
  }

  // MARK: For the client

  /// Starts a request.
  ///
  /// - Parameter isHandedOn: Whether the body of a 2xx comes in pieces.
  /// - Returns: The number under which `next` and `response` know it, until `end`.
  func begin(_ request: HTTPRequest, isHandedOn: Bool) throws(TransportError) -> UInt64 {
    guard !isClosed else { throw .closed }
    guard !Task.isCancelled else { throw .cancelled }
    guard transfers.count < configuration.maximumRequests else { throw .overloaded }
    lastNumber += 1
    let number = lastNumber
    let transfer = try HTTPTransfer(
      request,
      on: isHandedOn ? makeMulti(for: number) : openShared(),
      isHandedOn: isHandedOn,
      configuration,
      queue: executor.queue
    ) { [weak self] in
      self?.assumeIsolated { $0.stop(number, .timeout) }
    }
    guard transfer.multi.add(transfer) else {
      throw TransportError(.cannotConnect, isTransient: true, detail: "libcurl did not take the transfer")
    }
    transfers[number] = transfer
    proceed(transfer.multi)
    return number
  }

  /// The next piece of an answer that is handed on, or nil once an answer is complete. Cancelling the caller ends the request.
  func next(of number: UInt64) async throws(TransportError) -> [UInt8]? {
    guard !Task.isCancelled else {
      let wasSent = transfers[number]?.wasSent ?? false
      throw TransportError(.cancelled, isTransient: true, mayHaveBeenProcessed: wasSent)
    }
    let step = await withTaskCancellationHandler {
      await withCheckedContinuation { wait(for: number, $0) }
    } onCancel: {
      executor.queue.async { self.assumeIsolated { $0.stop(number, .cancelled) } }
    }
    return try step.get()
  }

  /// The answer as far as it has come, without what was handed on.
  func response(of number: UInt64) throws(TransportError) -> HTTPResponse {
    guard let transfer = transfers[number] else { throw .closed }
    return transfer.response
  }

  /// Forgets a request, which is stopped if it runs.
  nonisolated func end(_ number: UInt64) {
    executor.queue.async {
      self.assumeIsolated { engine in
        engine.stop(number, .cancelled)
        engine.transfers[number] = nil
      }
    }
  }

  /// Refuses new requests, stops those that run and closes the connections.
  func close() {
    isClosed = true
    for transfer in transfers.values { stop(transfer, .closed) }
    shared = nil
  }

  // MARK: Running

  private func wait(for number: UInt64, _ caller: CheckedContinuation<HTTPTransfer.Step, Never>) {
    guard let transfer = transfers[number] else { return caller.resume(returning: .failure(.closed)) }
    transfer.wait(caller)
    proceed(transfer.multi)
  }

  private func stop(_ number: UInt64, _ code: TransportError.Code) {
    guard let transfer = transfers[number] else { return }
    stop(transfer, code)
    proceed(transfer.multi)
  }

  /// Answers the caller first: for libcurl this may take its time.
  private func stop(_ transfer: HTTPTransfer, _ code: TransportError.Code) {
    transfer.finish(.failure(TransportError(code, isTransient: true, mayHaveBeenProcessed: transfer.wasSent)))
    transfer.multi.remove(transfer)
  }

  private func openShared() throws(TransportError) -> CurlMulti {
    if let shared { return shared }
    let multi = try makeMulti(for: nil)
    shared = multi
    return multi
  }

  /// - Parameter number: The transfer that has it for itself; nil: it is shared.
  private func makeMulti(for number: UInt64?) throws(TransportError) -> CurlMulti {
    let multi = try CurlMulti(
      queue: executor.queue,
      logger: logger,
      onSocket: { [weak self] socket, direction in
        self?.assumeIsolated { $0.advance(number) { $0.handleSocket(socket, direction: direction) } }
      },
      onTimer: { [weak self] in
        self?.assumeIsolated { $0.advance(number) { if $0.isTimerDue() { $0.handleTimer() } } }
      }
    )
    multi.limit(
      connectionsPerHost: configuration.maximumConnectionsPerHost,
      streamsPerConnection: configuration.maximumStreamsPerConnection
    )
    return multi
  }

  private func advance(_ number: UInt64?, _ step: (CurlMulti) -> Void) {
    guard let multi = if let number { transfers[number]?.multi } else { shared } else { return }
    step(multi)
    proceed(multi)
  }

  /// Lets libcurl run until it waits for the network, and ends what it has completed.
  private func proceed(_ multi: CurlMulti) {
    for _ in 0..<roundsInOneGo {
      if multi.isDueNow { multi.handleTimer() }
      while let (handle, code) = multi.nextCompleted() {
        (handle as? HTTPTransfer)?.finish(code)
        multi.remove(handle)
      }
      if !multi.isDueNow { break }
    }
    multi.settle()
  }
}
