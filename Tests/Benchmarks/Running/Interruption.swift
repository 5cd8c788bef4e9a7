import Dispatch
import Foundation

/// Ends this process at Ctrl-C or SIGTERM, clearing its directory first.
struct Interruption {
  private let sources: [any DispatchSourceSignal]

  init(removing directory: String?) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if let directory { unlinkAll(directory) }
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  func cancel() {
    for source in sources { source.cancel() }
  }
}

/// Servers still write while they are being ended, so a rest may remain in the temporary directory.
private func unlinkAll(_ directory: String) {
  do {
    try FileManager.default.removeItem(atPath: directory)
  } catch {
    Progress.say("\(directory) could not be removed: \(error.localizedDescription)")
  }
}
