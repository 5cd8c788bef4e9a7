import ConsoleCommands
import DevelopmentControl
import Foundation
import BelfryJSON
import LocalStack
import NotificationModel
import WallClock

/// Answers what is asked below `/api/development`.
extension DemoPage {
  func answer(_ question: DevelopmentQuestion) async -> DevelopmentAnswer {
    do {
      return DevelopmentAnswer(body: try await body(of: question))
    } catch let refusal as DemoRefusal {
      return .refusal(refusal.status, refusal.description)
    } catch {
      return .refusal(503, "That did not work: \(error)")
    }
  }

  private func body(of question: DevelopmentQuestion) async throws -> String {
    let path = question.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    switch (question.method, path.first ?? "", path.dropFirst().first) {
    case ("GET", "", nil): return try await overview()
    case ("GET", "token", nil): return try await token(of: question.query["user"] ?? "")
    case ("GET", "state", nil): return state.json(at: Date())
    case ("GET", "sends", nil):
      return list("sends") { writer in for send in story.sends { send.write(in: story.catalogue, to: &writer) } }
    case ("GET", "switches", nil):
      let on = await board.on
      return list("switches") { writer in
        for demoSwitch in story.switches {
          demoSwitch.write(isOn: on.contains(demoSwitch), in: story, to: &writer)
        }
      }
    case ("GET", "traces", nil): return try traces(question.query)
    case ("POST", "sends", let name?): return try await send(name)
    case ("PUT", "switches", let name?): return try await turn(name, fields(of: question))
    case ("POST", "taps", nil): return try await tap(fields(of: question))
    default: throw DemoRefusal(404, "There is no \(question.method) /api/development/\(question.path).")
    }
  }

  private func list(_ name: StaticString, _ elements: (inout JSONWriter) -> Void) -> String {
    .json { writer in
      writer.object { writer in writer.array(name, elements) }
    }
  }

  private func fields(of question: DevelopmentQuestion) throws -> JSONFields {
    do {
      return try JSONFields(try JSONParser.parse(Array((question.body ?? "{}").utf8)))
    } catch {
      throw DemoRefusal(400, "The body cannot be read: \(error)")
    }
  }

  // MARK: Publishing

  static let tokenLifetime = Duration.seconds(600)

  private func overview() async throws -> String {
    let on = await board.on
    var tokens: [String: (text: String, until: Date)] = [:]
    for member in story.people { tokens[member.id] = try await mint(member) }
    let addresses = devices.addresses
    return .json { writer in
      writer.object { writer in
        writer.field("gateway", stack.gatewayURL)
        writer.field("hub", stack.hubURL)
        writer.field("bell", "\(stack.gatewayURL)/bell/v1/belfry-bell.js")
        writer.field("group", story.group)
        writer.field("app", story.app)
        writer.field("lead", story.lead)
        // Of which the state tells when it is another.
        writer.field("story", state.story)
        if let conversation = story.conversation {
          writer.object("conversation") { writer in
            writer.field("type", conversation.type)
            writer.field("id", conversation.id)
            writer.field("name", conversation.name)
          }
        }
        writer.array("people") { writer in
          for member in story.people { member.write(to: &writer, at: addresses[member], token: tokens[member.id]) }
        }
        writer.array("sends") { writer in for send in story.sends { send.write(in: story.catalogue, to: &writer) } }
        writer.array("switches") { writer in
          for demoSwitch in story.switches {
            demoSwitch.write(isOn: on.contains(demoSwitch), in: story, to: &writer)
          }
        }
        writer.array("types") { writer in
          for type in story.catalogue.types {
            writer.object { writer in
              writer.field("code", type.code)
              writer.field("name", type.name)
              writer.field("category", type.category)
              writer.array("actions") { writer in
                for action in story.catalogue.actions(of: type.code, locale: DemoPerson.locale) {
                  writer.object { writer in
                    writer.field("id", action.id)
                    writer.field("title", action.title)
                  }
                }
              }
            }
          }
        }
        writer.field("docs", hasDocs())
      }
    }
  }

  private func mint(_ member: DemoPerson) async throws -> (text: String, until: Date) {
    let until = Date().addingTimeInterval(Self.tokenLifetime / .seconds(1))
    return (try member.token(stack, lifetime: Self.tokenLifetime), until)
  }

  private func token(of user: String) async throws -> String {
    guard let member = story.person(user) else {
      throw DemoRefusal(404, "\(user.isEmpty ? "Nobody" : user) is not one of the three: say ?user=<id>.")
    }
    let token = try await mint(member)
    return .json { writer in
      writer.object { writer in
        writer.field("token", token.text)
        writer.field("expiresAt", token.until.rfc3339)
      }
    }
  }

  private func traces(_ query: [String: String]) throws -> String {
    let limit = query["limit"].map { Int($0) ?? 0 } ?? 20
    guard (1...TraceBook.maximumTraces).contains(limit) else {
      throw DemoRefusal(400, "limit: expected a number from 1 to \(TraceBook.maximumTraces)")
    }
    let now = Date()
    let wanted = query["request"].map { RequestID($0) }
    let found = book.traces.reversed().filter { trace in wanted.map { $0.map(trace.requests.contains) ?? false } ?? true
    }
    return list("traces") { writer in
      for trace in found.prefix(limit) { trace.write(to: &writer, now: now) }
    }
  }

  // MARK: Doing

  private func send(_ name: String) async throws -> String {
    guard let send = story.send(named: name) else {
      throw DemoRefusal(404, "There is no send '\(name)': \(story.sends.map(\.name).joined(separator: ", ")).")
    }
    attend()
    let token = try DemoPerson.serviceToken(stack)
    let sentAt = Date()
    let call = DemoCall(send, at: sentAt)
    let outcome = try await call.make(gateway, token: token)
    // An event's rules make requests of their own, which are found when they are stored.
    let requests = send.event == nil ? outcome.requests : []
    if let first = requests.first, first.time != nil {
      book.begin(
        DemoTrace(
          requests: requests,
          name: send.name,
          label: send.label,
          sentAt: sentAt,
          acceptedAt: Date(),
          recipients: send.to
        )
      )
    }
    return .json { writer in
      writer.object { writer in
        writer.nullableField("requestId", requests.first?.description)
        writer.strings("requestIds", requests.map(\.description))
        writer.field("name", send.name)
        let url = stack.gatewayURL + call.path
        writer.field("curl", Curl.command("POST", url, token: tokenOptions("--role service"), body: call.body))
        writer.field("status", outcome.status)
        writer.key("answer")
        writer.value(outcome.answer)
      }
    }
  }

  /// The options of `belfry token` for this stack, wherever it is called.
  private func tokenOptions(_ whose: String) -> String {
    "\(whose) --data-dir \(CallerOptions.quoted(URL(filePath: stack.configuration.directory).path))"
  }

  private func turn(_ name: String, _ fields: JSONFields) async throws -> String {
    guard let demoSwitch = DemoSwitch(rawValue: name), story.switches.contains(demoSwitch) else {
      throw DemoRefusal(
        404,
        "There is no switch '\(name)': \(story.switches.map(\.rawValue).joined(separator: ", "))."
      )
    }
    let isOn: Bool
    do { isOn = try fields.boolean("on") } catch { throw DemoRefusal(400, error.description) }
    attend()
    try await board.turn(demoSwitch, on: isOn)
    let isOnNow = await board.on.contains(demoSwitch)
    return .json { demoSwitch.write(isOn: isOnNow, in: story, to: &$0) }
  }

  /// What an app does when somebody taps a notification, or a button on it.
  private func tap(_ fields: JSONFields) async throws -> String {
    let member: DemoPerson?
    let notification: NotificationID
    let action: String?
    do throws(JSONFieldError) {
      member = story.person(try fields.string("user"))
      notification = try fields.value("notificationId", expected: "a UUID") { NotificationID($0) }
      action = try fields.optionalString("action")
    } catch {
      throw DemoRefusal(400, error.description)
    }
    guard let member else { throw DemoRefusal(404, "None of the three has that id.") }
    let token = try member.token(stack, lifetime: Self.tokenLifetime)
    let place = GatewayPath("notifications", notification.description)
    let path =
      action.map { GatewayPath("notifications", notification.description, "actions", $0) }?.text
      ?? "\(place.text)/opened"
    let call = DemoCall(path: path)
    let outcome = try await call.make(gateway, token: token)
    if outcome.status < 300 {
      if action == nil { try await gateway.call("PATCH", "\(place.text)/read", token: token) }
      book.tapped(notification, action: action, at: Date())
    }
    return .json { writer in
      writer.object { writer in
        writer.field("status", outcome.status)
        writer.field(
          "curl",
          Curl.command("POST", stack.gatewayURL + path, token: tokenOptions("--user \(member.id)"), body: nil)
        )
        writer.key("answer")
        writer.value(outcome.answer)
      }
    }
  }
}

extension DevelopmentAnswer {
  fileprivate static func refusal(_ status: Int, _ words: String) -> DevelopmentAnswer {
    DevelopmentAnswer(status: status, body: .json { writer in writer.object { $0.field("detail", words) } })
  }
}

extension DemoPerson {
  /// - Parameter address: By which a push service knows the person's device.
  fileprivate func write(to writer: inout JSONWriter, at address: String, token: (text: String, until: Date)?) {
    writer.object { writer in
      writer.field("id", id)
      writer.field("name", name)
      writer.field("email", email)
      writer.field("provider", carrier.rawValue)
      writer.field("pushAddress", address)
      writer.field("platform", platform)
      writer.field("device", device)
      writer.field("model", deviceModel)
      writer.field("locale", DemoPerson.locale)
      writer.field("timezone", DemoPerson.timezone)
      writer.optionalField("token", token?.text)
      writer.optionalField("tokenExpiresAt", token?.until.rfc3339)
    }
  }
}
