import Foundation

/// One process as the kernel reports it (proc(5)).
struct ProcessStat {
  /// Its name, or that of the server it is a part of.
  let program: String
  let parent: Int
  let ownSeconds: Double
  let childrenSeconds: Double
  let residentBytes: Int

  /// Reads `/proc/pid/stat`; nil when the process has ended.
  init?(pid: Int) {
    guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    // The name stands in parentheses and may contain any character.
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: close)...].split(separator: " ")
    guard fields.count > 21 else { return nil }
    func number(_ field: Int) -> Int { Int(fields[field - 3]) ?? 0 }
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    // The kernel keeps 15 characters of it.
    let name = String(text[text.index(after: open)..<close])
    program =
      switch name {
      case "belfry-simulato": "belfry-simulator"
      case "postgres": "PostgreSQL"
      case "beam.smp", "epmd", "erl_child_setup", "inet_gethost", "rabbitmq-server": "RabbitMQ"
      default: name
      }
    parent = number(4)
    ownSeconds = Double(number(14) + number(15)) / ticks
    childrenSeconds = Double(number(16) + number(17)) / ticks
    residentBytes = number(24) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
