import HTTPTypes
import Hummingbird
import BelfryJSON
import Logging
import NIOCore

/// The control API: what arrived, and which faults to make. Plain HTTP and JSON, for tests and people.
struct ControlAPI: Sendable {
  let project: String
  let apns: APNsControl
  let webPush: WebPushControl
  let pushes: PushLog
  let subscriptions: TopicSubscriptions
  let mails: MailLog
  let faults: FaultList
  let tokens: AccessTokens

  func addRoutes(to router: Router<BasicRequestContext>) {
    router.get("health") { _, _ in Self.response { writer in writer.object { $0.field("status", "ok") } } }
    addPushes(to: router)
    addSubscriptions(to: router)
    apns.addRoutes(to: router)
    webPush.addRoutes(to: router)
    addMails(to: router)
    addFaults(to: router)
    router.delete("api/tokens") { _, _ in
      tokens.revokeAll()
      return Response(status: .noContent)
    }
    router.post("api/reset") { _, _ in
      pushes.removeAll()
      subscriptions.removeAll()
      apns.removeAll()
      webPush.removeAll()
      mails.removeAll()
      faults.removeAll()
      return Response(status: .noContent)
    }
  }

  // MARK: Routes

  private func addPushes(to router: Router<BasicRequestContext>) {
    router.get("api/pushes") { request, _ in
      let query = try ListQuery(request, filters: ["token", "fid", "topic", "condition", "notificationId"])
      let token = query.filters["token"]
      let fid = query.filters["fid"]
      let topic = query.filters["topic"]
      let condition = query.filters["condition"]
      let notification = query.filters["notificationId"]
      let found = pushes.records(after: query.after, limit: query.limit) { record in
        (token == nil || record.message.target == token.map { .token($0) })
          && (fid == nil || record.message.target == fid.map { .fid($0) })
          && (topic == nil || record.message.target == topic.map { .topic($0) })
          && (condition == nil || record.message.target == condition.map { .condition($0) })
          && (notification == nil || record.message.notificationID == notification)
      }
      return Self.list("pushes", found) { ControlJSON.write($0, project: project, to: &$1) }
    }
    router.get("api/pushes/summary") { _, _ in
      Self.response { ControlJSON.write(pushes.summary(), to: &$0) }
    }
    router.delete("api/pushes") { _, _ in
      pushes.removeAll()
      return Response(status: .noContent)
    }
  }

  private func addSubscriptions(to router: Router<BasicRequestContext>) {
    router.get("api/subscriptions") { request, _ in
      let query = try ListQuery(request, filters: ["registration", "topic"])
      let registration = query.filters["registration"]
      let topic = query.filters["topic"]
      let found = subscriptions.all(after: query.after, limit: query.limit) { subscription in
        (registration == nil || subscription.registration == registration)
          && (topic == nil || subscription.topic == topic)
      }
      return Self.list("subscriptions", found) { ControlJSON.write($0, to: &$1) }
    }
  }

  private func addMails(to router: Router<BasicRequestContext>) {
    router.get("api/mails") { request, _ in
      let query = try ListQuery(request, filters: ["to", "messageId"])
      let recipient = query.filters["to"]
      let id = query.filters["messageId"]
      let found = mails.records(after: query.after, limit: query.limit) { record in
        (recipient.map(record.envelope.recipients.contains) ?? true)
          && (id == nil || record.headers["Message-ID"] == id)
      }
      return Self.list("mails", found) { ControlJSON.write($0, to: &$1) }
    }
    router.get("api/mails/summary") { _, _ in
      Self.response { ControlJSON.write(mails.summary(), to: &$0) }
    }
    router.delete("api/mails") { _, _ in
      mails.removeAll()
      return Response(status: .noContent)
    }
  }

  private func addFaults(to router: Router<BasicRequestContext>) {
    router.get("api/faults") { _, _ in
      Self.list("faults", faults.all()) { ControlJSON.write($0, to: &$1) }
    }
    router.post("api/faults") { request, _ in
      let wanted = try FaultReader.read(try await ControlBody.collect(request))
      guard let fault = faults.add(wanted.match, wanted.effect, times: wanted.times) else {
        throw ControlError(status: .conflict, field: nil, message: "there are \(FaultList.maximumCount) faults already")
      }
      return Self.response(.created) { ControlJSON.write(fault, to: &$0) }
    }
    router.delete("api/faults") { _, _ in
      faults.removeAll()
      return Response(status: .noContent)
    }
    router.delete("api/faults/{id}") { _, context in
      let text = context.parameters.get("id") ?? ""
      guard let id = Int(text) else { throw ControlError.invalid("id", "expected an integer") }
      guard faults.remove(id) else { throw ControlError(status: .notFound, field: "id", message: "no such fault") }
      return Response(status: .noContent)
    }
  }

  // MARK: Answers

  static func response(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    write(&writer)
    return Response(
      status: status,
      headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes))
    )
  }

  static func list<Element>(
    _ name: StaticString,
    _ elements: [Element],
    _ write: (Element, inout JSONWriter) -> Void
  ) -> Response {
    response { writer in
      writer.object { writer in
        writer.array(name) { writer in
          for element in elements { write(element, &writer) }
        }
      }
    }
  }
}
