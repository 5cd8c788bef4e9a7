import Synchronization

/// Carries requests and cancellations to an engine's queue; many arrive with one wake-up.
final class TransferInbox<Request: Sendable, Response: Sendable>: Sendable {
  typealias Outcome = Result<Response, TransportError>

  /// A request and whom to answer.
  ///
  /// A class: it passes through many hands, and a continuation makes each copy of a struct ask for its type.
  final class Job: Sendable {
    let id: UInt64
    let request: Request
    let deadline: ContinuousClock.Instant
    private let continuation: CheckedContinuation<Outcome, Never>

    fileprivate init(
      id: UInt64,
      request: Request,
      deadline: ContinuousClock.Instant,
      continuation: CheckedContinuation<Outcome, Never>
    ) {
      self.id = id
      self.request = request
      self.deadline = deadline
      self.continuation = continuation
    }

    /// Resumes the caller. To be called exactly once.
    func answer(_ outcome: Outcome) {
      continuation.resume(returning: outcome)
    }
  }

  enum Command: Sendable {
    case submit(Job)
    case cancel(UInt64)
    case cancelAll
  }

  private struct State {
    var commands: [Command] = []
    var outstanding = 0
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())
  private let lastID = Atomic<UInt64>(0)

  /// - Parameter limit: Requests submitted and not answered.
  init(limit: Int) {
    self.limit = limit
  }

  /// Submits a request and waits for its answer.
  ///
  /// - Parameters:
  ///   - timeout: Becomes the job's deadline; the engine keeps it.
  ///   - wake: Called when the engine has to come for its commands.
  func send(
    _ request: Request,
    timeout: Duration,
    wake: @escaping @Sendable () -> Void
  ) async throws(TransportError) -> Response {
    let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
    let deadline = ContinuousClock.now + timeout
    let outcome: Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = Job(id: id, request: request, deadline: deadline, continuation: continuation)
        if let refusal = submit(job, wake: wake) {
          job.answer(.failure(refusal))
        } else if Task.isCancelled {
          // A cancellation that came before the submission found nothing to cancel.
          post(.cancel(id), wake: wake)
        }
      }
    } onCancel: {
      post(.cancel(id), wake: wake)
    }
    return try outcome.get()
  }

  func post(_ command: Command, wake: () -> Void) {
    // One command for each caller and one for closing: bounded like the callers.
    let isFirst = state.withLock { state in
      state.commands.append(command)
      return state.commands.count == 1
    }
    if isFirst { wake() }
  }

  func takeAll() -> [Command] {
    state.withLock { state in
      let commands = state.commands
      state.commands = []
      return commands
    }
  }

  /// Makes room for as many requests.
  func finished(_ count: Int) {
    state.withLock { $0.outstanding -= count }
  }

  /// Refuses requests from now on.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  private func submit(_ job: Job, wake: () -> Void) -> TransportError? {
    let (refusal, isFirst): (TransportError?, Bool) = state.withLock { state in
      if state.isClosed { return (.closed, false) }
      if state.outstanding >= limit { return (.overloaded, false) }
      state.outstanding += 1
      state.commands.append(.submit(job))
      return (nil, state.commands.count == 1)
    }
    if isFirst { wake() }
    return refusal
  }
}
