import Broker
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import Rules
import TestSupport
import Testing

@testable import Router

@Suite struct IngestDecoderTests {
  private let decoder: IngestDecoder
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let json = #"""
    {"to":{"users":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]},"type":10,"data":{"amount":"$1","balance":"$2"}}
    """#

  init() throws {
    decoder = IngestDecoder(catalogue: try Catalogue())
  }

  private func decode(
    _ json: String? = nil,
    id: String? = nil,
    type: String? = nil,
    app: String? = nil,
    key: String = "request"
  ) -> IngestItem {
    let message = BrokerMessage(body: Array((json ?? self.json).utf8), messageID: id, type: type, appID: app)
    return decoder.decode(message, routingKey: key, now: now)
  }

  private func reason(_ item: IngestItem) -> String? {
    switch item {
    case .invalid(let reason), .refused(let reason): reason
    default: nil
    }
  }

  private func isKeyed(_ item: IngestItem) -> Bool {
    if case .submission(.request, .keyed) = item { true } else { false }
  }

  @Test func `a request stamped by the gateway keeps its id, in either case`() {
    let id = RequestID(now: now)
    for text in [id.description, id.description.uppercased()] {
      guard
        case .submission(.request(let request, let type), .known(let found)) = decode(id: text, type: "belfry.request")
      else {
        Issue.record("expected a request")
        return
      }
      #expect(found == id)
      #expect(type.code == 10)
      #expect(request.data["amount"] == "$1")
    }
  }

  @Test func `a stamped id that is far from now, or no UUIDv7, is looked up instead`() {
    let ids = [
      RequestID(now: now - 8 * 86_400).description, RequestID(now: now + 7_200).description,
      "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b",
    ]
    for id in ids { #expect(isKeyed(decode(id: id, type: "belfry.request"))) }
  }

  @Test func `a sender's own message-id is a key within that sender's scope`() {
    guard
      case .submission(.request(_, let type), .keyed(let scope, let key)) = decode(id: "order-7", app: "shop")
    else {
      Issue.record("expected a keyed request")
      return
    }
    #expect(scope == "amqp:shop")
    #expect(key == "order-7")
    #expect(type.code == 10)
    #expect(isKeyed(decode(id: RequestID(now: now).description)))
  }

  @Test func `a request without an id is anonymous`() {
    for id in [nil, ""] {
      guard case .submission(.request, .anonymous) = decode(id: id) else {
        Issue.record("expected anonymous")
        return
      }
    }
  }

  @Test func `a part of a group's send is known by its type`() throws {
    let type = try #require(decoder.catalogue.type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: now,
      expiresAt: now + 60
    )
    let order = RoutingOrder(requestId: RequestID(now: now), content: content, channels: nil, recipients: [])
    let text = String(decoding: QueueCoder.encode(order), as: UTF8.self)
    guard case .order(let back, _) = decode(text, type: order.messageType) else {
      Issue.record("expected a order")
      return
    }
    #expect(back.requestId == order.requestId)
    #expect(
      reason(decode("{}", type: order.messageType)) == "invalid: undecodable belfry.chunk: 'v' is missing"
    )
  }

  @Test func `what cannot be used is reported with its reason`() {
    #expect(reason(decode("nonsense"))?.hasPrefix("invalid: malformed JSON") == true)
    #expect(reason(decode("{}")) == "invalid: to: is required; type: is required")
    let unknown = json.replacing(":10", with: ":77")
    #expect(reason(decode(unknown)) == "invalid: type: 77 is not in the catalogue")
    let blank = json.replacing(#""amount":"$1","#, with: "")
    #expect(reason(decode(blank)) == "invalid: data.amount: is required by the template of AllowanceDeposit")
  }

  @Test func `an event is known by its key, whatever its properties, and comes in the catalogue's spelling`() throws {
    let json = """
      {"name":"goalreached","audience":{"group":"family:1"},"payload":{"goalId":"g"}}
      """
    for type in [nil, "belfry.event", RoutingOrder.chunkType] {
      guard case .relay(let event) = decode(json, id: "anything", type: type, key: "event") else {
        Issue.record("expected an event")
        return
      }
      #expect(event.type.name == "GoalReached")
      #expect(event.audience == .group("family:1", except: []))
      #expect(event.payload["goalId"]?.string == "g")
    }
  }

  @Test func `an event that cannot be passed on is reported with its reason`() {
    func refusal(_ json: String) -> String? { reason(decode(json, key: "event")) }
    #expect(refusal("{}") == "invalid: name: is required; payload: is required")
    #expect(refusal(json)?.contains("to: is not a known field") == true)
    let unknown = #"{"name":"Other","audience":{"group":"g"},"payload":{}}"#
    #expect(refusal(unknown) == "invalid: name: 'Other' is not an event of the catalogue")
    #expect(refusal(#"{"name":"GoalReached","payload":{}}"#) == "invalid: audience: is required")
    let limit = IngestDecoder.maximumBody
    let large = unknown + String(repeating: " ", count: limit)
    #expect(refusal(large)?.hasPrefix("oversized: ") == true)
  }

  private func refusal(_ item: IngestItem) -> (isForGood: Bool, reason: String)? {
    switch item {
    case .invalid(let reason), .refused(let reason): (true, reason)
    case .unknown(let reason): (false, reason)
    default: nil
    }
  }

  /// Who accepted it, what it is, and whether it is for good.
  @Test(
    arguments: [
      ("belfry.request", "request", #"{"to":{"group":"g"},"type":77}"#, false),
      ("belfry.request", "request", #"{"to":{"group":"g"},"type":"Later"}"#, false),
      ("belfry.request", "request", #"{"to":{"group":"g"},"type":10,"data":{"amount":"$1"}}"#, false),
      ("belfry.event", "event", #"{"name":"Later","audience":{"group":"g"},"payload":{}}"#, false),
      ("belfry.event", "event", #"{"name":"BalanceUpdated","audience":{"group":"g"},"payload":{}}"#, false),
      ("belfry.request", "event", #"{"name":"Later","audience":{"group":"g"},"payload":{}}"#, false),
      // A sender's own mistake.
      (nil, "request", #"{"to":{"group":"g"},"type":77}"#, true),
      ("order", "request", #"{"to":{"group":"g"},"type":77}"#, true),
      (nil, "event", #"{"name":"Later","audience":{"group":"g"},"payload":{}}"#, true),
      // A later version's gateway knows more members, kinds of messages, and forms of them.
      ("belfry.request", "request", #"{"to":{"group":"g"},"type":12,"mood":"bright"}"#, false),
      ("belfry.event", "event", #"{"name":"GoalReached","audience":{"group":"g"},"payload":{},"mood":1}"#, false),
      ("belfry.later", "request", #"{"v":1}"#, false),
      ("belfry.later", "event", #"{"v":1}"#, false),
      ("belfry.chunk", "request", #"{"v":4}"#, false),
      ("belfry.part", "request", #"{"v":4}"#, false),
      ("belfry.notice", "request", #"{"v":2}"#, false),
      ("belfry.scheduled", "request", #"{"v":2}"#, false),
      // No version writes that.
      ("belfry.chunk", "request", "{}", true),
      ("belfry.chunk", "request", #"{"v":0}"#, true),
      ("belfry.notice", "request", #"{"v":1}"#, true),
      (nil, "request", #"{"to":{"group":"g"},"type":12,"mood":"bright"}"#, true),
      ("later", "request", #"{"v":1}"#, true),
    ]
  )
  func `what a gateway accepted may be new to this router; another's mistake stays one`(
    _ type: String?,
    _ key: String,
    _ json: String,
    _ isForGood: Bool
  ) throws {
    let (id, app) = (RequestID(now: now).description, "belfry-gateway")
    let notified = try #require(refusal(decode(json, id: id, type: type, app: app, key: key)))
    #expect(notified.isForGood == isForGood, "\(notified.reason)")
    // A sender that uses our names for its own messages has accepted nothing.
    let other = try #require(refusal(decode(json, id: id, type: type, app: "shop", key: key)))
    #expect(other.isForGood || ["belfry.chunk", "belfry.part", "belfry.notice", "belfry.scheduled"].contains(type))
  }

  @Test func `a rule's notice may carry as much as a send`() {
    #expect(RuleNotice.maximumData == SendRequest.maximumData)
  }

  @Test func `a chunk of a type that this router does not know may be another router's`() throws {
    let order = try #require(HostileMessages.chunks().seeds.first)
    let body = String(decoding: QueueCoder.encode(order), as: UTF8.self).replacing(#""type":10"#, with: #""type":777"#)
    let notified = try #require(refusal(decode(body, type: RoutingOrder.chunkType)))
    #expect(!notified.isForGood)
    #expect(notified.reason == "type 777 is not in this router's catalogue")
  }

  @Test func `a request that a router has begun keeps its id, however old it is`() {
    let id = RequestID(now: now - 8 * 86_400)
    var message = BrokerMessage(body: Array(json.utf8), messageID: id.description, type: "belfry.request")
    message.bookmark = UserID(UUID())
    guard case .submission(.request, .known(let found)) = decoder.decode(message, routingKey: "request", now: now)
    else {
      Issue.record("expected a request")
      return
    }
    #expect(found == id)
  }

  @Test func `a request may be as large as the limit and no larger`() {
    let limit = IngestDecoder.maximumBody
    let padded = json + String(repeating: " ", count: limit - json.utf8.count)
    #expect(reason(decode(padded)) == nil)
    #expect(reason(decode(padded + " ")) == "oversized: \(limit + 1) bytes; at most \(limit) are allowed")
  }

  @Test func `an event that rules look at is known by the gateway's id, its sender's, or is to be given one`() throws {
    func identity(_ id: String?, type: String? = nil) throws -> SubmissionIdentity {
      let body = #"{"name":"goalupdated","payload":{},"occurredAt":"2020-01-01T00:00:00Z"}"#
      guard case .submission(.event(let event), let identity) = decode(body, id: id, type: type, key: "event") else {
        throw CocoaError(.coderInvalidValue)
      }
      #expect(event.type.name == "GoalUpdated")
      #expect(event.occurredAt == Date(timeIntervalSince1970: 1_577_836_800))
      #expect(event.relay == nil)
      return identity
    }
    let ours = RequestID(now: now)
    guard case .known(ours) = try identity(ours.description, type: "belfry.event") else {
      throw CocoaError(.coderInvalidValue)
    }
    for (id, type) in [("m-1", "belfry.event"), (ours.description, nil)] {
      guard case .keyed(_, id) = try identity(id, type: type) else { throw CocoaError(.coderInvalidValue) }
    }
    guard case .anonymous = try identity(nil) else { throw CocoaError(.coderInvalidValue) }
  }
}
