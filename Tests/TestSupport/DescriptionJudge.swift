import DriverExecutor
public import Foundation

/// What openapi.yaml has against what a gateway answers: a Python process that the first question starts, and that ends with
/// this process.
///
/// It blocks a thread of its own. Strict: see Tests/Conformance/description.py.
public actor DescriptionJudge {
  public static let shared = DescriptionJudge()

  /// One answer, and what was asked.
  public struct Exchange: Sendable {
    public var method: String
    /// With its query, which is passed over.
    public var path: String
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: Data

    public init(method: String, path: String, status: Int, headers: [(name: String, value: String)], body: Data) {
      self.method = method
      self.path = path
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// The judge itself failed.
  public struct Failed: Error, CustomStringConvertible {
    public let description: String
  }

  private struct Question: Encodable {
    let method: String
    let path: String
    let status: Int
    let headers: [[String]]
    let body: Data
  }

  private struct Verdict: Decodable {
    let objections: [String]
  }

  private final class Running {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    var unread = Data()
  }

  private let executor = QueueExecutor(label: "belfry.description-judge")
  private var start: Result<Running, any Error>?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private init() {}

  /// Starts the process, unless it runs.
  public func prepare() throws {
    _ = try started()
  }

  /// Sentences with path, status and member; none for an answer that is as it is described.
  public func objections(to exchange: Exchange) throws -> [String] {
    let question = Question(
      method: exchange.method,
      path: exchange.path,
      status: exchange.status,
      headers: exchange.headers.map { [$0.name, $0.value] },
      body: exchange.body
    )
    return try ask(try JSONEncoder().encode(question))
  }

  /// What is wrong with openapi.yaml and asyncapi.yaml themselves, and with their examples.
  public func objectionsToDescriptions() throws -> [String] {
    try ask(Data(#"{"descriptions":true}"#.utf8))
  }

  private func ask(_ question: Data) throws -> [String] {
    let running = try started()
    try running.input.fileHandleForWriting.write(contentsOf: question + [UInt8(ascii: "\n")])
    return try Self.verdict(of: running)
  }

  /// The process; one that could not be started is not tried again.
  private func started() throws -> Running {
    if let start { return try start.get() }
    let result = Result { try Self.launch() }
    start = result
    return try result.get()
  }

  private static func launch() throws -> Running {
    let running = Running()
    running.process.executableURL = URL(filePath: try Python.interpreter())
    running.process.arguments = [Python.script("Tests/Conformance/description_judge.py")]
    running.process.environment = Python.environment
    // The end of its input is the end of this process, however that comes.
    running.process.standardInput = running.input
    running.process.standardOutput = running.output
    try running.process.run()
    // Before anything is written: a process that is gone already would end this one by SIGPIPE.
    let objections = try verdict(of: running)
    guard objections.isEmpty else { throw Failed(description: objections.joined(separator: "\n")) }
    return running
  }

  private static func verdict(of running: Running) throws -> [String] {
    while true {
      if let end = running.unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = running.unread[..<end]
        running.unread = Data(running.unread[running.unread.index(after: end)...])
        return try JSONDecoder().decode(Verdict.self, from: Data(line)).objections
      }
      let news = running.output.fileHandleForReading.availableData
      guard !news.isEmpty else { throw Failed(description: "description_judge.py has ended") }
      running.unread += news
    }
  }
}
