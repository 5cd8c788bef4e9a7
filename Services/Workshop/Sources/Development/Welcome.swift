import ConsoleCommands
import Foundation
import BelfryJSON
import LocalStack
import NotificationModel

/// What a newcomer reads when everything runs: where it is, and what to send with.
struct Welcome: Sendable {
  let page: String
  let gateway: String
  let hub: String
  let directory: String
  /// How `belfry` is called from anywhere.
  let program: String
  /// What the lines send; nil where the catalogue has no type.
  let request: Request?

  struct Request: Sendable {
    let group: String
    let type: String
    let data: [String: String]

    init(group: String, type: String, data: [String: String]) {
      self.group = group
      self.type = type
      self.data = data
    }

    /// The first thing that a story sends, to all of its people; nil where it sends nothing.
    init?(of story: DemoStory) {
      let sends = [story.first].compactMap(\.self) + story.sends
      guard let request = sends.lazy.compactMap({ $0.requests(at: Date()).first }).first else { return nil }
      self.init(group: story.group, type: request.type, data: request.data)
    }

    /// Of `belfry send`.
    var options: String {
      let data = data.sorted { $0.key < $1.key }.map { " --data \(CallerOptions.quoted("\($0.key)=\($0.value)"))" }
      return "--group \(CallerOptions.quoted(group)) --type \(CallerOptions.quoted(type))\(data.joined())"
    }
  }

  init(page: String, gateway: String, hub: String, directory: String, program: String, request: Request?) {
    self.page = page
    self.gateway = gateway
    self.hub = hub
    self.directory = directory
    self.program = program
    self.request = request
  }

  init(_ stack: BelfryStack, _ story: DemoStory) {
    self.init(
      page: stack.simulator.url,
      gateway: stack.gatewayURL,
      hub: stack.hubURL,
      directory: URL(filePath: stack.configuration.directory).standardizedFileURL.path,
      program: Self.call(stack.configuration.programs.product, path: ProcessInfo.processInfo.environment["PATH"] ?? ""),
      request: Request(of: story)
    )
  }

  /// The program's own name where a shell finds it by that, else its path.
  static func call(_ program: String, path: String) -> String {
    let name = URL(filePath: program).lastPathComponent
    let found = path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    func real(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
    if let found, real(found) == real(program) { return name }
    return CallerOptions.quoted(program)
  }

  var text: String {
    var lines = [
      "", "  Belfry is running. Open \(page)/", "",
      "  Page       \(page)/",
      "  API        \(gateway)/api/v1/",
      "  Hub        \(hub)",
      "  Documents  \(page)/docs/",
    ]
    if !commands.isEmpty {
      lines += ["", "Send from another terminal, with any of these lines:", ""] + commands.flatMap { [$0, ""] }
    }
    return
      (lines + [
        "", "Ctrl-C stops it. `belfry-dev demo --help` tells how to do from a terminal what the page does.",
        "Logs: \(directory)/logs/",
      ])
      .reduce(into: [String]()) { lines, line in if !(line.isEmpty && lines.last == "") { lines.append(line) } }
      .joined(separator: "\n")
  }

  /// A line of a shell each: one call of the API, the same by `belfry`, two in one call. They work in any folder.
  var commands: [String] {
    guard let request else { return [] }
    return [
      curl("/api/v1/notifications", Self.json(request)),
      "\(program) send \(request.options) \(folder)",
      curl("/api/v1/notifications/bulk", #"{"items":[\#(Self.json(request)),\#(Self.json(request))]}"#),
    ]
  }

  private var folder: String { "--data-dir \(CallerOptions.quoted(directory))" }

  private func curl(_ path: String, _ body: String) -> String {
    #"curl -sS \#(gateway)\#(path) -H "Authorization: Bearer $(\#(program) token --role service \#(folder))""#
      + " -H 'Content-Type: application/json' -d \(CallerOptions.quoted(body))"
  }

  private static func json(_ request: Request) -> String {
    .json { writer in
      writer.object { writer in
        writer.object("to") { $0.field("group", request.group) }
        writer.field("type", request.type)
        if !request.data.isEmpty {
          writer.object("data") { writer in
            for (name, value) in request.data.sorted(by: { $0.key < $1.key }) { writer.dynamicField(name, value) }
          }
        }
      }
    }
  }
}
