import Dispatch
import Foundation

/// Turns Ctrl-C and SIGTERM into cancellation.
enum Interruption {
  /// Runs the body; a signal cancels it, and its own orderly end is waited for.
  ///
  /// A second signal ends this process at once; the kernel then ends its children.
  static func run(_ body: @Sendable @escaping () async -> Int32) async -> Int32 {
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(4))
    let (registrations, registration) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield(number) }
      source.setRegistrationHandler { registration.yield() }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    // Dispatch begins to listen a moment later: a signal in between would be lost.
    for await _ in registrations.prefix(sources.count) {}
    return await withTaskGroup(of: Int32?.self) { group in
      group.addTask { await body() }
      group.addTask {
        for await _ in signals { return nil }
        return nil
      }
      if let status = await group.next() ?? nil {
        group.cancelAll()
        return status
      }
      group.cancelAll()
      group.addTask {
        for await number in signals { _exit(128 + number) }
        return nil
      }
      while let next = await group.next() {
        if let status = next { return status }
      }
      return 0
    }
  }
}
