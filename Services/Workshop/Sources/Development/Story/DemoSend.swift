import ConsoleCommands
import Foundation
import BelfryJSON
import NotificationModel
import WallClock

/// Something that the demo's backend can do, by a button or by `belfry-dev demo send`: send, or say what happened.
struct DemoSend: Sendable {
  enum Work: Sendable {
    case notify(@Sendable () -> GatewaySendRequest)
    /// Its rules notify somebody, or nobody.
    case report(DemoEvent)
  }

  /// Letters, digits and `-`.
  let name: String
  let label: String
  /// To whom and how, for people.
  let words: String
  let to: [DemoPerson]
  /// How many requests go out in one call.
  var count = 1
  /// Of several requests: from the first, which is due at once, to the last.
  var spread = Duration.zero
  private let work: Work
  /// One of its requests; nil of an event.
  private let example: GatewaySendRequest?

  init(
    name: String,
    label: String,
    words: String,
    to: [DemoPerson],
    count: Int = 1,
    spread: Duration = .zero,
    make: @escaping @Sendable () -> GatewaySendRequest
  ) {
    self.name = name
    self.label = label
    self.words = words
    self.to = to
    self.count = count
    self.spread = spread
    work = .notify(make)
    example = make()
  }

  init(name: String, label: String, words: String, to: [DemoPerson], reporting event: DemoEvent) {
    self.name = name
    self.label = label
    self.words = words
    self.to = to
    work = .report(event)
    example = nil
  }

  /// The event that is reported; nil where notifications are sent.
  var event: DemoEvent? {
    if case .report(let event) = work { event } else { nil }
  }

  /// What is sent now: some of it is new each time. Nothing of an event.
  func requests(at now: Date) -> [GatewaySendRequest] {
    guard case .notify(let make) = work else { return [] }
    return (0..<count).map { number in
      var request = make()
      if spread > .zero {
        let wait = spread / .seconds(1) * Double(number) / Double(count - 1)
        request.sendAt = now.addingTimeInterval(wait).rfc3339
      }
      return request
    }
  }

  /// Of the catalogue; nil of an event.
  var type: String? { example?.type }

  /// What the message is headed with where it arrives; nil where rules decide what is sent.
  func title(in catalogue: Catalogue) -> String? {
    guard let example, let template = catalogue.type(.name(example.type))?.template else { return nil }
    return template.render(title: nil, body: nil, data: example.data, locale: DemoPerson.locale).title
  }

  func write(in catalogue: Catalogue, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.field("label", label)
      writer.field("words", words)
      writer.nullableField("title", title(in: catalogue))
      writer.field("command", CallerOptions.current.page("belfry-dev demo send \(CallerOptions.quoted(name))"))
      writer.nullableField("type", type)
      writer.nullableField("event", event?.name)
      writer.field("count", count)
      writer.strings("to", to.map(\.id))
    }
  }
}

/// An event as a backend reports it.
struct DemoEvent: Sendable, Equatable {
  let name: String
  /// To whose open connections it is relayed; nil where it is for rules alone.
  let audience: String?
  /// By paths such as `order.number`.
  let values: [String: JSONValue]
  /// Paths whose values make a case of their own: a rule that notifies once in each is shown at work each time.
  let cases: [String]

  var payload: JSONValue { EventComposer.json(values) }

  /// The event as it is reported now, of a case that was not before.
  func write(to writer: inout JSONWriter) {
    var values = values
    for path in cases { values[path] = .string(String(Int.random(in: 10_000...99_999))) }
    writer.object { writer in
      writer.field("name", name)
      if let audience { writer.object("audience") { $0.field("group", audience) } }
      writer.key("payload")
      writer.value(EventComposer.json(values))
    }
  }
}
