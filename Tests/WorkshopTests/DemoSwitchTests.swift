import ArgumentParser
import ConsoleCommands
import Foundation
import BelfryJSON
import NotificationModel
import Testing
import TestSupport
import WallClock

@testable import Workshop

/// The circumstances of the demo, and what can be sent in them.
@Suite struct DemoSwitchTests {
  private let story: DemoStory

  init() throws {
    story = DemoFamily.story(try Catalogue())
  }

  @Test func `at any hour there is a place that people know where it is night, all year`() throws {
    for hour in 0..<24 {
      for month in [0, 91, 182, 273] {
        let now = Date(timeIntervalSince1970: 1_800_000_000 - 1_800_000_000.truncatingRemainder(dividingBy: 86_400))
          .addingTimeInterval(Double(month * 86_400 + hour * 3_600 + 28 * 60))
        let place = DemoNight.place(at: now)
        let zone = try #require(Zone(place.zone), "\(place)")
        let local = zone.localTime(at: now)
        #expect(local.hour >= 22 || local.hour < 2, "\(hour) UTC: \(local) in \(place.name)")
        let start = try #require(LocalTime(DemoNight.start))
        let end = try #require(LocalTime(DemoNight.end))
        let hours = try #require(QuietHours(start: start, end: end, zone: zone))
        #expect(hours.window(at: now) != nil)
      }
    }
  }

  @Test func `a place is called as people call it, and never by a database's name`() throws {
    for place in DemoNight.places {
      #expect(DemoNight.name(of: place.zone) == place.name)
      #expect(!place.name.contains("/") && !place.name.contains("_"))
    }
    #expect(DemoNight.name(of: "America/Puerto_Rico") == "Puerto Rico")
    let zone = try #require(Zone("America/New_York"))
    #expect(
      DemoWords.plain("until 07:00 America/New_York: quiet hours", zone) == "until 07:00 in New York: quiet hours"
    )
    #expect(DemoWords.plain("in-app left out: muted", zone) == "inbox left out: muted", "as the page calls it")
  }

  @Test func `people are where this machine is, or in Berlin where it says no place`() {
    #expect(DemoPerson.zone("America/New_York") == "America/New_York")
    for nowhere in ["GMT", "UTC", "Nowhere/Atall", ""] { #expect(DemoPerson.zone(nowhere) == "Europe/Berlin") }
  }

  @Test func `every switch says what is the case and what follows`() throws {
    for demoSwitch in DemoSwitch.allCases {
      let json = try JSONParser.parse(Array(String.json { demoSwitch.write(isOn: true, in: story, to: &$0) }.utf8))
      #expect(json["name"]?.string == demoSwitch.rawValue)
      #expect(json["on"]?.boolean == true)
      for name in ["words", "effect"] { #expect(json[name]?.string?.hasSuffix(".") == true, "\(demoSwitch) \(name)") }
      if let person = story.person(of: demoSwitch) {
        #expect(json["user"]?.string == person.id)
        #expect(json["label"]?.string?.contains(person.name) == true)
      }
      #expect(throws: Never.self) {
        _ = try WorkshopCommand.parseAsRoot(["demo", "switch", demoSwitch.rawValue, "off"])
      }
    }
    #expect(DemoSwitch.allCases.filter(\.isMomentary) == [.killPush])
  }

  @Test func `each push provider can be taken down, and the switch says who gets none then`() throws {
    for story in [story, try DemoStory.of(try Catalogue(overrides: Shop.yaml))] {
      let downs = story.switches.filter { $0.carrier != nil }
      #expect(downs.map(\.carrier) == [.fcm, .apns, .webPush])
      for demoSwitch in downs {
        let json = try JSONParser.parse(Array(String.json { demoSwitch.write(isOn: true, in: story, to: &$0) }.utf8))
        let person = try #require(demoSwitch.carrier.flatMap(story.person(by:)))
        #expect(json["provider"]?.string == person.carrier.rawValue)
        // The page says it in these words while pushes wait.
        #expect(json["label"]?.string == "\(person.carrier.label) is down")
        #expect(json["words"]?.string?.hasSuffix(": \(person.name)’s \(person.device) gets none.") == true)
      }
    }
  }

  @Test func `troubles are made at the simulator and undone there`() async throws {
    let story = story
    try await StubGateway.with { question in
      question.method == "POST" ? .init(status: 201, body: #"{"id":7}"#) : .init(status: 404, body: "{}")
    } _: { stub in
      try await GatewayClient.using(url: stub.url) { simulator in
        let faults = SimulatorFaults(simulator: simulator, story: story, addresses: DemoAddresses())
        for demoSwitch in DemoSwitch.allCases {
          let id = try await faults.make(demoSwitch)
          #expect(id == (demoSwitch.carrier != nil || [.slowMail, .phoneGone].contains(demoSwitch) ? 7 : nil))
        }
        // Gone already is as good.
        try await faults.remove(7)
      }
      #expect(
        stub.asked.map(\.line) == Array(repeating: "POST /api/faults", count: 5) + ["DELETE /api/faults/7"]
      )
      let matches = try stub.asked.prefix(5).map { try JSONParser.parse(Array($0.body.utf8))["match"] }
      #expect(matches.map { $0?["channel"]?.string } == ["push", "apns", "webpush", "email", "push"])
      #expect(matches.map { $0?["token"]?.string } == [nil, nil, nil, nil, DemoFamily.tom.deviceToken])
    }
  }

  @Test func `what is sent is of the catalogue, and has all that its type needs`() throws {
    #expect(Set(story.sends.map(\.name)).count == story.sends.count)
    for send in story.sends {
      let shown = try JSONParser.parse(Array(String.json { send.write(in: story.catalogue, to: &$0) }.utf8))
      #expect(shown["command"]?.string == "belfry-dev demo send \(send.name)")
      #expect(throws: Never.self) { _ = try WorkshopCommand.parseAsRoot(["demo", "send", send.name]) }
      let type = try #require(send.type.flatMap { story.catalogue.type(.name($0)) })
      for request in send.requests(at: Date()) { #expect(type.template.missing(in: request.data) == []) }
      let call = DemoCall(send, at: Date())
      let body = try JSONParser.parse(Array((call.body ?? "").utf8))
      let items = body["items"]?.array ?? [body]
      #expect(items.count == send.count)
      #expect(call.path == (send.count == 1 ? "/api/v1/notifications" : "/api/v1/notifications/bulk"))
      for item in items { #expect(item["type"]?.string == send.type, "\(send.name)") }
    }
  }

  @Test func `each deposit raises the balance by what was deposited`() throws {
    let balances = try (0..<5).map { _ in
      let data = try #require(DemoFamily.allowance.requests(at: Date()).first?.data)
      #expect(data["amount"] == "$5.00")
      return try #require(data["balance"].flatMap { Double($0.dropFirst()) })
    }
    for (before, after) in zip(balances, balances.dropFirst()) {
      // Other tests deposit, too.
      #expect(after > before && (after - before).truncatingRemainder(dividingBy: 5) == 0, "\(balances)")
    }
  }

  @Test func `a send says under which title it arrives`() throws {
    #expect(DemoFamily.allowance.title(in: story.catalogue) == "Allowance Received!")
    for send in story.sends {
      let shown = try JSONParser.parse(Array(String.json { send.write(in: story.catalogue, to: &$0) }.utf8))
      #expect(shown["title"]?.string?.contains("{{") == false, "\(send.name)")
    }
  }

  @Test func `there is time to break something while many are on their way`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let due = DemoFamily.burst.requests(at: now).compactMap { $0.sendAt.flatMap { Date(rfc3339: $0) } }
    #expect(due.count == 20)
    #expect(due.first == now)
    #expect(due.last == now.addingTimeInterval(5))
    #expect(due == due.sorted())
    #expect(DemoFamily.allowance.requests(at: now).allSatisfy { $0.sendAt == nil })
  }

  @Test func `a call can be pasted into a shell`() {
    let command = Curl.command("POST", "http://127.0.0.1:8080/x", token: "--role service", body: #"{"text":"it's $5"}"#)
    #expect(
      command == #"""
        TOKEN=$(belfry token --role service)
        curl -sS http://127.0.0.1:8080/x \
          -H "Authorization: Bearer $TOKEN" \
          -H 'Content-Type: application/json' \
          -d '{"text":"it'\''s $5"}'
        """#
    )
    #expect(Curl.command("POST", "http://h/x", token: "t", body: nil).contains("\ncurl -sS -X POST http://h/x"))
  }
}
