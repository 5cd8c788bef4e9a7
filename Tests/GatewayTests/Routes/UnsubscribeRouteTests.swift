import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import ServiceRuntime
import TestSupport
import Testing

@testable import Gateway

/// `GET` and `POST /unsubscribe/{token}`
@Suite struct UnsubscribeRouteTests {
  private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
  private static let oneClick = "List-Unsubscribe=One-Click"
  private static let preferences = "/api/v1/notifications/preferences"

  private func path(
    _ user: UserID,
    _ category: String = "Allowance",
    at time: Date = .now,
    keys: UnsubscribeKeys = TestGateway.unsubscribe
  ) -> String {
    let link = UnsubscribeLink(user: user, category: category, notificationCreatedAt: time, composedAt: time)
    return "/unsubscribe/\(keys.text(of: link) ?? "")"
  }

  private func click(_ gateway: TestGateway, _ path: String, _ body: String = oneClick) async throws -> Answer {
    try await gateway.call(.post, path, headers: Self.form, body: body).expect(.ok)
  }

  /// Switches mails of the category on, as its user does in the app.
  private func subscribe(_ ann: Caller, _ gateway: TestGateway) async throws {
    let body = #"{"categories":[{"category":"Allowance","emailEnabled":true}]}"#
    _ = try await gateway.call(.put, Self.preferences, as: ann, body: body).expect(.ok)
  }

  /// The switch for mails of the category, as preferences show it.
  private func isOn(_ ann: Caller, _ gateway: TestGateway) async throws -> Bool {
    let answer = try await gateway.call(.get, Self.preferences, as: ann).expect(.ok)
    let category = try answer.list("categories").first { $0["category"] as? String == "Allowance" }
    return try #require(category?["emailEnabled"] as? Bool)
  }

  private func counted(_ gateway: TestGateway) async throws -> Int {
    try #require(
      try await gateway.database.query("SELECT coalesce(sum(unsubscribed), 0)::int8 FROM stats WHERE channel = 3").first
    ).get(0)
  }

  private func actions(_ gateway: TestGateway) async throws -> [String] {
    let admin = try await Caller.service("ops", role: .admin)
    return try await gateway.call(.get, "/api/v1/admin/audit", as: admin).expect(.ok).list("entries")
      .map { "\($0["actor"] ?? "") \($0["action"] ?? "")" }
  }

  @Test func `a look shows what would stop, and unsubscribes nobody`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await subscribe(ann, gateway)
      let link = path(ann.id)
      for _ in 0..<2 {
        let page = try await gateway.call(.get, link).expect(.ok)
        #expect(page.text.contains("<h1>Unsubscribe from “Allowance”?</h1>"))
        #expect(page.text.contains("You will no longer get “Allowance” emails."))
        #expect(page.text.contains("All other emails continue, and so do these notifications in the app"))
        #expect(
          page.text.contains(#"<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">"#)
        )
        #expect(page.headers[.cacheControl] == "no-store" && page.headers[.referrerPolicy] == "no-referrer")
        #expect(page.headers[.robotsTag] == "noindex")
      }
      let head = try await gateway.call(.head, link)
      #expect(head.status == .ok && head.body.isEmpty)
      #expect(try await isOn(ann, gateway))
      #expect(try await counted(gateway) == 0)
      #expect(try await actions(gateway) == [])
    }
  }

  @Test(arguments: [
    ("application/x-www-form-urlencoded", oneClick), ("application/x-www-form-urlencoded; charset=UTF-8", oneClick),
    (
      "multipart/form-data; boundary=xYzZy",
      "--xYzZy\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--xYzZy--\r\n"
    ),
  ])
  func `one click stops a category's mails at once, without a login, and the second changes nothing`(
    _ type: String,
    _ body: String
  ) async throws {
    try await TestGateway.with { gateway in
      let (ann, ben) = (try await Caller.user(), try await Caller.user())
      for user in [ann, ben] { try await subscribe(user, gateway) }
      for _ in 0..<2 {
        let answer = try await gateway.call(.post, path(ann.id), headers: [.contentType: type], body: body).expect(.ok)
        #expect(answer.text.contains("<h1>You have unsubscribed</h1>"))
        #expect(try await isOn(ann, gateway) == false)
        #expect(try await counted(gateway) == 1)
        #expect(try await actions(gateway) == ["link user.unsubscribe"])
      }
      #expect(try await gateway.call(.get, path(ann.id)).expect(.ok).text.contains("<h1>You have unsubscribed</h1>"))
      #expect(try await isOn(ben, gateway))
      // The rest of the category goes on.
      let shown = try await gateway.call(.get, Self.preferences, as: ann).list("categories")
        .first { $0["category"] as? String == "Allowance" }
      #expect(shown?["pushEnabled"] as? Bool == true && shown?["inAppEnabled"] as? Bool == true)
      let export = try await gateway.call(.get, "/api/v1/me/export", as: ann).expect(.ok)
      #expect(try export.list("unsubscriptions").map { $0["category"] as? String } == ["Allowance"])
      #expect(try export.list("audit").map { $0["action"] as? String } == ["user.unsubscribe"])
    }
  }

  @Test(arguments: [true, false])
  func `who gets no mails whatever is chosen reads it, not whether a mail was called spam, and is promised none`(
    isReported: Bool
  )
    async throws
  {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await subscribe(ann, gateway)
      let address = "ann@example.org"
      let profile = UserStore.Profile(email: address, displayName: nil, locale: nil, timezone: nil, isEnabled: nil)
      _ = try await UserStore(client: gateway.database).put(profile, of: ann.id)
      let suppressions = SuppressionStore(client: gateway.database)
      if isReported {
        try await suppressions.record([
          SuppressionEvidence(address: address, kind: .complaint, source: "arf", at: .now)
        ])
      } else {
        _ = try await suppressions.add(address, by: "ops")
      }
      func reads(_ answer: Answer) -> Bool {
        answer.text.contains("<h1>You do not get these emails</h1>") && answer.text.contains("is blocked here")
          && !answer.text.contains("spam")
          && answer.text.contains("<button class=\"quiet\">Unsubscribe</button>")
      }
      #expect(reads(try await gateway.call(.get, path(ann.id)).expect(.ok)))
      let off = try await click(gateway, path(ann.id))
      #expect(off.text.contains("<h1>You have unsubscribed</h1>"))
      #expect(reads(try await click(gateway, path(ann.id), "take-back=yes")))
      #expect(try await isOn(ann, gateway))
      // An operator alone ends it.
      try await suppressions.remove(address)
      #expect(try await gateway.call(.get, path(ann.id)).text.contains("<h1>Unsubscribe from “Allowance”?</h1>"))
    }
  }

  @Test func `taking it back restores what was chosen before, type by type`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await subscribe(ann, gateway)
      let choice = #"{"preferences":[{"notificationType":11,"emailEnabled":false}]}"#
      let before = try await gateway.call(.put, Self.preferences, as: ann, body: choice).expect(.ok).text
      let page = try await click(gateway, path(ann.id))
      #expect(page.text.contains(#"<input type="hidden" name="take-back" value="yes">"#))
      #expect(try await gateway.call(.get, Self.preferences, as: ann).text != before)
      let back = try await click(gateway, path(ann.id), "take-back=yes")
      #expect(back.text.contains("<h1>You will get these emails again</h1>"))
      #expect(try await gateway.call(.get, Self.preferences, as: ann).text == before)
      #expect(try await actions(gateway) == ["link user.resubscribe", "link user.unsubscribe"])
      // Nothing is left to be taken back.
      _ = try await click(gateway, path(ann.id), "take-back=yes")
      #expect(try await gateway.call(.get, Self.preferences, as: ann).text == before)
      #expect(try await actions(gateway).count == 2)
    }
  }

  @Test func `who switched mails off in the app cannot be subscribed again by a link`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let page = try await gateway.call(.get, path(ann.id)).expect(.ok)
      #expect(page.text.contains("<h1>You do not get these emails</h1>") && !page.text.contains("<form"))
      _ = try await click(gateway, path(ann.id), "take-back=yes")
      #expect(try await isOn(ann, gateway) == false)
    }
  }

  @Test func `an unsubscription stays when a catalogue switches the category on, or has it no more`() async throws {
    try await TestGateway.with { gateway in
      let (ann, ben) = (try await Caller.user(), try await Caller.user())
      // The catalogue has it off already, or has no such category.
      for (user, category) in [(ann, "Allowance"), (ben, "Gone")] {
        _ = try await click(gateway, path(user.id, category))
        let rows = try await SettingsStore(client: gateway.database).settings(of: user.id).rows
        #expect(rows.categories == [category: ChannelChoices(email: false)])
        #expect(try await gateway.call(.get, path(user.id, category)).text.contains("You have unsubscribed"))
      }
      #expect(try await counted(gateway) == 0, "nobody got any")
    }
  }

  @Test func `of who was erased the link says so, and nothing is written`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await subscribe(ann, gateway)
      let link = path(ann.id, at: .now - 60)
      _ = try await click(gateway, link)
      _ = try await gateway.call(.delete, "/api/v1/users/\(ann.id)", as: .service()).expect(.noContent)
      for body in [Self.oneClick, "take-back=yes"] {
        let answer = try await click(gateway, link, body)
        #expect(answer.text.contains("<h1>There is nothing left to stop</h1>") && !answer.text.contains("<form"))
      }
      #expect(try await gateway.call(.get, link).expect(.ok).text.contains("has been erased"))
      #expect(try await SettingsStore(client: gateway.database).settings(of: ann.id) == UserSettings())
      // Somebody new under the same id is not touched by it, and has links of their own.
      try await subscribe(ann, gateway)
      _ = try await click(gateway, link)
      #expect(try await isOn(ann, gateway))
      _ = try await click(gateway, path(ann.id, at: .now + 60))
      #expect(try await isOn(ann, gateway) == false)
    }
  }

  @Test func `what is forged, expired or of another secret is not found, and a browser gets a page that says so`()
    async throws
  {
    let ann = UserID(UUID())
    let good = path(ann)
    let expired = path(ann, at: .now - UnsubscribeLink.lifetime - 2)
    let others = [
      String(good.dropLast()) + (good.hasSuffix("A") ? "B" : "A"),
      path(ann, keys: UnsubscribeKeys(["another secret of links, of forty bytes!"])), "/unsubscribe/x",
      "/unsubscribe/\(String(repeating: "A", count: 10_000))",
    ]
    try await TestGateway.withoutDatabase { gateway in
      for path in others + [expired] {
        try await gateway.call(.get, path).expectProblem("not-found", .notFound)
        try await gateway.call(.post, path, headers: Self.form, body: Self.oneClick)
          .expectProblem("not-found", .notFound)
        let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml", .acceptLanguage: "ja, de-AT;q=0.8"]
        let page = try await gateway.call(.get, path, headers: browser).expect(.notFound)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        let heading = path == expired ? "Dieser Link ist abgelaufen" : "Dieser Link ist nicht gültig"
        #expect(page.text.contains("<h1>\(heading)</h1>") && page.text.contains(#"<html lang="de">"#))
      }
      // In time is in time.
      let away = try await gateway.call(.get, good)
      try away.expectProblem("unavailable", .serviceUnavailable)
      let page = try await gateway.call(.get, good, headers: [.accept: "text/html"]).expect(.serviceUnavailable)
      #expect(page.text.contains("Something went wrong") && page.headers[.retryAfter] == "2")
    }
  }

  @Test func `a page of a failure does not say that nothing has changed, for the answer alone may have failed`()
    async throws
  {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await subscribe(ann, gateway)
      // What the page says is read after the change, and alone looks there.
      _ = try await gateway.database.query("ALTER TABLE suppressions RENAME TO elsewhere")
      let fields: HTTPFields = [.accept: "text/html", .contentType: "application/x-www-form-urlencoded"]
      let page = try await gateway.call(.post, path(ann.id), headers: fields, body: Self.oneClick)
        .expect(.internalServerError)
      #expect(
        page.text.contains("<h1>Something went wrong</h1>") && page.text.contains("Please try again in a minute.")
      )
      #expect(!page.text.contains("hanged"))
      #expect(try await counted(gateway) == 1)
    }
  }

  @Test func `the page is in the language of the reader's profile, before that of the browser`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await subscribe(ann, gateway)
      let languages: HTTPFields = [.acceptLanguage: "fr-CA,fr;q=0.9"]
      let link = path(ann.id)
      #expect(
        try await gateway.call(.get, link, headers: languages).text.contains("Se désabonner de «\u{a0}Allowance\u{a0}»")
      )
      let profile = #"{"email":"ann@example.org","locale":"de-AT"}"#
      _ = try await gateway.call(.put, "/api/v1/users/\(ann.id)", as: .service(), body: profile).expect(.created)
      #expect(try await gateway.call(.get, link, headers: languages).text.contains("„Allowance“ abbestellen?"))
    }
  }

  @Test func `where neither says a language, the page is in that of the catalogue, as the mail was`() async throws {
    let catalogue = try Catalogue(overrides: "version: 1\ndefaultLocale: de\n")
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let ann = try await Caller.user()
      let link = path(ann.id)
      #expect(try await gateway.call(.get, link).text.contains(#"<html lang="de">"#))
      let refused: HTTPFields = [.accept: "text/html", .acceptLanguage: "fr;q=0, ja"]
      #expect(try await gateway.call(.get, link, headers: refused).text.contains(#"<html lang="de">"#))
      let forged = try await gateway.call(.get, "/unsubscribe/x", headers: refused).expect(.notFound)
      #expect(forged.text.contains(#"<html lang="de">"#))
      let french: HTTPFields = [.acceptLanguage: "ja,fr;q=0.9"]
      #expect(try await gateway.call(.get, link, headers: french).text.contains(#"<html lang="fr">"#))
    }
  }

  @Test(arguments: [
    ("fr-CA,fr;q=0.9", ["fr-CA", "fr"]), ("fr;q=0, de ; q=0.001,en;Q=0.000", ["de"]), ("", []),
    ("*, ;", ["*"]),
  ])
  func `what a browser refuses is none of its languages`(_ header: String, _ locales: [String]) {
    #expect(UnsubscribeController.locales(header) == locales)
  }

  @Test(arguments: [
    ("", "application/x-www-form-urlencoded"), ("List-Unsubscribe=", "application/x-www-form-urlencoded"),
    ("List-Unsubscribe=No", "application/x-www-form-urlencoded"), ("take-back=no", "application/x-www-form-urlencoded"),
    ("--b\r\n\r\n--b--", "multipart/form-data; boundary=b"),
  ])
  func `a form that asks for nothing is refused by the field's name`(_ body: String, _ type: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path(UserID(UUID())), headers: [.contentType: type], body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["List-Unsubscribe"])
    }
  }

  @Test(arguments: ["application/json", "multipart/form-data", "text/plain"])
  func `a body that is no form is refused by its type`(_ type: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(
        .post,
        path(UserID(UUID())),
        headers: [.contentType: type],
        body: Self.oneClick
      )
      try answer.expectProblem("unsupported-media-type", .unsupportedMediaType)
    }
  }

  @Test func `a form of more than 4,096 bytes is refused`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let body = "\(Self.oneClick)&more=\(String(repeating: "x", count: 4_096))"
      let answer = try await gateway.call(.post, path(UserID(UUID())), headers: Self.form, body: body)
      try answer.expectProblem("too-large", .contentTooLarge)
    }
  }

  @Test func `an address may ask so often and no more, whatever it asks with, and others may`() async throws {
    let edge = EdgeConfiguration(unsubscribeRate: 1, trustsForwardedFor: true)
    try await TestGateway.with(edge: edge) { gateway in
      let ann = try await Caller.user()
      try await subscribe(ann, gateway)
      let here: HTTPFields = [.forwardedFor: "192.0.2.1"]
      let first = try await gateway.call(.get, "/unsubscribe/x", headers: here).expect(.notFound)
      #expect(first.headers[.rateLimit] == #""unsubscribe";r=1;t=1"#)
      _ = try await gateway.call(.get, path(ann.id), headers: here).expect(.ok)
      let refused = try await gateway.call(
        .post,
        path(ann.id),
        headers: [.forwardedFor: "192.0.2.1", .contentType: "application/x-www-form-urlencoded"],
        body: Self.oneClick
      )
      try refused.expectProblem("too-many-requests", .tooManyRequests)
      #expect(refused.headers[.retryAfter] == "1")
      #expect(try await isOn(ann, gateway))
      let page = try await gateway.call(
        .get,
        path(ann.id),
        headers: [.forwardedFor: "192.0.2.1", .accept: "text/html"]
      ).expect(.tooManyRequests)
      #expect(page.text.contains("Something went wrong") && page.headers[.retryAfter] == "1")
      _ = try await gateway.call(.get, path(ann.id), headers: [.forwardedFor: "192.0.2.2"]).expect(.ok)
    }
  }

  @Test func `without secrets there are no such pages`() async throws {
    try await TestGateway.with(unsubscribe: .none) { gateway in
      let link = path(UserID(UUID()))
      let answer = try await gateway.call(.get, link, headers: [.accept: "text/html"])
      try answer.expectProblem("not-found", .notFound)
      try await gateway.call(.post, link, headers: Self.form, body: Self.oneClick).expectProblem("not-found", .notFound)
    }
  }
}
