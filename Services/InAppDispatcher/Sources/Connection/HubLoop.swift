import NIOCore

/// An event loop with its connections.
struct HubLoop: Sendable {
  let index: Int
  let eventLoop: any EventLoop
  let registry: NIOLoopBoundBox<ConnectionRegistry>

  init(index: Int, eventLoop: any EventLoop, directory: ConnectionDirectory) {
    self.index = index
    self.eventLoop = eventLoop
    registry = .makeBoxSendingValue(
      ConnectionRegistry(loop: index, eventLoop: eventLoop, directory: directory),
      eventLoop: eventLoop
    )
  }

  /// Delivers on the loop; the future carries how many events were written.
  func deliver(_ batch: EventBatch) -> EventLoopFuture<Int> {
    eventLoop.submit { registry.value.deliver(batch) }
  }

  /// Does something with a connection that lives here; nothing if it is gone.
  func with(_ id: ConnectionID, _ body: @escaping @Sendable (HubConnection) -> Void) {
    eventLoop.execute {
      if let connection = registry.value.connection(id) { body(connection) }
    }
  }
}
