import BelfryJSON

extension DevelopmentMessage {
  /// Reads a line, without its end.
  public init(line: [UInt8]) throws(DevelopmentSocketError) {
    let value: JSONValue
    do { value = try JSONParser.parse(line) } catch { throw .malformed(error.description) }
    do throws(JSONFieldError) {
      self = try Self.read(JSONFields(value))
    } catch {
      throw .malformed(error.description)
    }
  }

  private static func read(_ fields: JSONFields) throws(JSONFieldError) -> DevelopmentMessage {
    if let question = try fields.optionalObject("ask", DevelopmentQuestion.init(reading:)) { return .ask(question) }
    if let answer = try fields.optionalObject("answer", DevelopmentAnswer.init(reading:)) { return .answer(answer) }
    if let event = try fields.optionalObject("event", DevelopmentEvent.init(reading:)) { return .event(event) }
    if let sighting = try fields.optionalObject("seen", Sighting.init(reading:)) { return .seen(sighting) }
    guard try fields.optionalBoolean("watch") == true else { throw JSONFieldError("it names no kind of message") }
    return .watch
  }

  /// The line, with its end.
  public var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      switch self {
      case .ask(let question): writer.object("ask") { question.write(to: &$0) }
      case .answer(let answer): writer.object("answer") { answer.write(to: &$0) }
      case .watch: writer.field("watch", true)
      case .event(let event): writer.object("event") { event.write(to: &$0) }
      case .seen(let sighting): writer.object("seen") { sighting.write(to: &$0) }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

// Documents travel as texts within the line: whatever they hold, a line is a line.

extension DevelopmentQuestion {
  fileprivate init(reading fields: JSONFields) throws(JSONFieldError) {
    self.init(
      method: try fields.string("method"),
      path: try fields.string("path"),
      query: try fields.texts("query"),
      body: try fields.optionalString("body")
    )
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("method", method)
    writer.field("path", path)
    writer.object("query") { writer in
      for (name, value) in query.sorted(by: { $0.key < $1.key }) { writer.dynamicField(name, value) }
    }
    writer.optionalField("body", body)
  }
}

extension DevelopmentAnswer {
  fileprivate init(reading fields: JSONFields) throws(JSONFieldError) {
    self.init(status: try fields.integer("status"), body: try fields.string("body"))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("status", status)
    writer.field("body", body)
  }
}

extension DevelopmentEvent {
  fileprivate init(reading fields: JSONFields) throws(JSONFieldError) {
    self.init(
      kind: try fields.value("kind", expected: "trace, switch or state", Kind.init(rawValue:)),
      key: try fields.string("key"),
      data: try fields.string("data")
    )
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("kind", kind.rawValue)
    writer.field("key", key)
    writer.field("data", data)
  }
}

extension Sighting {
  fileprivate init(reading fields: JSONFields) throws(JSONFieldError) {
    self.init(
      kind: try fields.value("kind", expected: "push, refused or mail", Kind.init(rawValue:)),
      at: Int64(try fields.integer("at")),
      target: try fields.string("target"),
      notification: try fields.optionalString("notification"),
      status: try fields.optionalInteger("status"),
      isSeenTwice: try fields.boolean("seenTwice")
    )
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("kind", kind.rawValue)
    writer.field("at", Int(at))
    writer.field("target", target)
    writer.optionalField("notification", notification)
    if let status { writer.field("status", status) }
    writer.field("seenTwice", isSeenTwice)
  }
}
