import NIOCore
import SignalRProtocol

/// Clients' calls of hub methods.
extension HubConnection {
  func handle(_ message: HubMessage) {
    switch message {
    case .invocation(let id, let target, let arguments, _):
      enqueue(HubCall(id: id, target: target, arguments: arguments, isStream: false))
    case .streamInvocation(let id, let target, let arguments, _):
      enqueue(HubCall(id: id, target: target, arguments: arguments, isStream: true))
    case .cancelInvocation(let id):
      cancel(id)
    case .streamItem, .completion:
      // No method takes a client's stream, and the hub calls nobody for an answer.
      break
    case .ping, .close, .ack, .sequence:
      break
    }
  }

  private func enqueue(_ call: HubCall) {
    hub.statistics.count(.called)
    guard neededExtras().calls.append(call, isStateful: state.isStateful) else {
      return answer(call, .error(HubOperation.failure(of: call, "Too many calls at once.")))
    }
    runCalls()
  }

  private func cancel(_ id: String) {
    if let call = extras?.calls.cancel(id) {
      answer(call, call.isStream ? .void : .error("Invocation canceled by the client."))
    } else {
      cancelResume(id)
    }
  }

  /// Runs what waits, one call at a time.
  private func runCalls() {
    while isOpen, let (call, operation) = extras?.calls.next() {
      guard let methods = hub.methods else {
        answer(call, .error(HubOperation.missing(call)))
        extras?.calls.endRunning()
        continue
      }
      switch operation {
      case .success(let operation):
        run(call, operation, methods)
      case .failure(let refusal):
        answer(call, .error(refusal.message))
        extras?.calls.endRunning()
      }
    }
  }

  private func run(_ call: HubCall, _ operation: HubOperation, _ methods: HubMethods) {
    if case .resume(let seq) = operation { return beginResume(call, after: seq) }
    if case .startViewing = operation { neededExtras().isViewing = true }
    let (user, id, path, telemetry) = (user, id, path, hub.telemetry)
    registry.run {
      await telemetry.observe(operation.name, on: path, isFailure: \.isError) {
        await methods.perform(operation, of: call, by: user, on: id)
      }
    }
    .whenSuccess { result in
      // What the client began to look at while it went must not be left behind.
      if case .startViewing = operation, !self.isOpen || self.extras?.isViewing != true {
        methods.presence.connectionEnded(id, of: user)
      }
      if self.isOpen { self.finish(call, result) }
    }
  }

  /// Ends the running call.
  func finish(_ call: HubCall, _ result: HubResult) {
    answer(call, result)
    finishCall()
  }

  /// Goes on to the next call.
  func finishCall() {
    extras?.calls.endRunning()
    runCalls()
  }

  /// Tells the caller, who may not want to know.
  func answer(_ call: HubCall, _ result: HubResult) {
    if result.isError { hub.statistics.count(.callFailed) }
    guard let id = call.id else { return }
    write(record: state.hubProtocol.encode(.completion(id: id, result)))
    flush()
  }
}

extension HubResult {
  fileprivate var isError: Bool {
    if case .error = self { true } else { false }
  }
}
