import NIOCore

/// An event loop with its connections.
struct HubLoop: Sendable {
  let eventLoop: any EventLoop
  let registry: NIOLoopBoundBox<ConnectionRegistry>

  init(index: Int, eventLoop: any EventLoop, directory: ConnectionDirectory) {
    self.eventLoop = eventLoop
    registry = .makeBoxSendingValue(ConnectionRegistry(loop: index, directory: directory), eventLoop: eventLoop)
  }

  /// Delivers on the loop; the future carries how many frames were written.
  func deliver(_ events: [UserFrame]) -> EventLoopFuture<Int> {
    eventLoop.submit { registry.value.deliver(events) }
  }
}
