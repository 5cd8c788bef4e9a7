import BelfryClient
import Foundation
import Gateway

/// What ten thousand notifications take in memory: the resident set of a process that has them all in a model, beside that of the same
/// process with the first page.
///
/// What the allocator holds free is given back before each reading: how much that is depends on how it divides memory among threads.
@main
@MainActor
struct Footprint {
  static let count = 10_000

  static func main() async throws {
    // Another process's memory would be the server's; here it is there before anything is measured.
    let gateway = Gateway(notifications: count)
    let client = BelfryClient(try gateway.configuration()) { _ in "token" }
    let model = NotificationCenterModel(client)
    await client.connect()
    while !model.isLoaded { try await Task.sleep(for: .milliseconds(5)) }
    let before = try resident()
    while model.hasMore { await model.loadMore() }
    guard model.notifications.count == count, model.unreadCount == count else {
      print("error: \(model.notifications.count) of \(count)")
      exit(1)
    }
    let after = try resident()
    print(#"{"notifications":\#(count),"bytes":\#(after - before),"before":\#(before)}"#)
    await client.signOut()
  }

  /// Bytes; proc(5), `statm`.
  static func resident() throws -> Int {
    typealias Trim = @convention(c) (Int) -> Int32
    if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
