import Foundation
import LocalStack
import Testing

/// `compose/secrets.sh`, which hands each service of the containers its own secrets.
struct HandedSecretsTests {
  private static let services = [
    "demo", "email", "gateway", "inapp", "migrate", "postgres", "push", "rabbitmq", "router",
  ]

  /// Runs it in a folder where `kept` lies.
  ///
  /// - Returns: The text of each file by its path, `secrets/…` or `services/…`.
  private func hand(given: String = "", kept: [String: String] = [:]) async throws -> [String: String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-secrets-\(UUID().uuidString)")
    defer { remove(folder) }
    let places = [folder.appending(path: "secrets")] + Self.services.map { folder.appending(path: "services/\($0)") }
    for place in places { try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true) }
    for (name, text) in kept { try Data(text.utf8).write(to: places[0].appending(path: name)) }
    try Data(given.utf8).write(to: folder.appending(path: "given"))
    try await LocalProcess.run(
      executable: "sh",
      arguments: ["compose/secrets.sh"] + ["secrets", "given", "services"].map { folder.appending(path: $0).path },
      environment: LocalProcess.inheritedEnvironment.merging(
        ["BELFRY_UID": "\(getuid())", "BELFRY_GID": "\(getgid())"]
      ) { $1 }
    )
    var texts: [String: String] = [:]
    for place in places {
      #expect(try mode(place) == 0o500)
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path) where name != ".lock" {
        let file = place.appending(path: name)
        if kept[name] == nil { #expect(try mode(file) == 0o400, "\(name)") }
        texts[file.path.dropFirst(folder.path.count + 1).description] = try String(contentsOf: file, encoding: .utf8)
      }
    }
    return texts
  }

  private func mode(_ place: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int
  }

  /// Folders that not even their owner may write to.
  private func remove(_ folder: URL) {
    do {
      for path in ["secrets", "services"] + Self.services.map({ "services/\($0)" }) {
        let place = folder.appending(path: path).path
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place)
      }
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record("\(folder.path) could not be removed: \(error)")
    }
  }

  /// The settings that a service's file has.
  private func names(_ text: String?) -> [String] {
    (text ?? "").split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
  }

  @Test func `each service is handed what it reads, and the token secret only who verifies tokens`() async throws {
    let texts = try await hand(given: "BELFRY_EMAIL_HOST=mail.test\nBELFRY_EMAIL_PASSWORD=pa$s #1\n")
    let stores = ["BELFRY_DATABASE_URL", "BELFRY_BROKER_URL"]
    let expected = [
      "migrate": ["BELFRY_DATABASE_URL"], "gateway": stores + ["BELFRY_AUTH_SECRET"], "router": stores,
      "inapp": stores + ["BELFRY_AUTH_SECRET"], "push": stores,
      "email": stores + ["BELFRY_EMAIL_HOST", "BELFRY_EMAIL_PASSWORD"], "demo": ["BELFRY_AUTH_SECRET"],
    ]
    for (service, settings) in expected { #expect(names(texts["services/\(service)/belfry.env"]) == settings) }
    for (server, file) in [("postgres", "postgres-password"), ("rabbitmq", "rabbitmq-password")] {
      #expect(texts["services/\(server)/\(file)"]?.count == 64)
      #expect(texts["services/\(server)/\(file)"] == texts["secrets/\(file)"])
    }
    #expect(texts.count == 3 + expected.count + 2)
    let tokens = try #require(texts["secrets/auth-secret"])
    #expect(texts["services/gateway/belfry.env"]?.contains("BELFRY_AUTH_SECRET=\(tokens)") == true)
    #expect(texts["services/email/belfry.env"]?.hasSuffix("BELFRY_EMAIL_PASSWORD=pa$s #1") == true)
  }

  @Test func `push alone is handed the key for APNs`() async throws {
    let texts = try await hand(
      given: """
        BELFRY_APNS_KEY_FILE=apns.p8
        BELFRY_APNS_KEY_ID=ABCDE12345
        BELFRY_APNS_TEAM_ID=FGHIJ67890
        BELFRY_APNS_TOPIC=com.example.app

        """
    )
    let handed = try #require(texts["services/push/belfry.env"])
    #expect(
      handed.hasSuffix(
        """
        BELFRY_PUSH_APNS_KEY_FILE=/etc/belfry/files/apns.p8
        BELFRY_PUSH_APNS_KEY_ID=ABCDE12345
        BELFRY_PUSH_APNS_TEAM_ID=FGHIJ67890
        BELFRY_PUSH_APNS_TOPIC=com.example.app
        """
      )
    )
    #expect(texts.filter { $0.value.contains("APNS") }.map(\.key) == ["services/push/belfry.env"])
  }

  @Test func `push is handed team and topic also where it has no key for APNs' production`() async throws {
    let texts = try await hand(
      given: "BELFRY_APNS_KEY_FILE=\nBELFRY_APNS_TEAM_ID=FGHIJ67890\nBELFRY_APNS_TOPIC=com.example.app\n"
    )
    #expect(
      names(texts["services/push/belfry.env"]).suffix(2) == ["BELFRY_PUSH_APNS_TEAM_ID", "BELFRY_PUSH_APNS_TOPIC"]
    )
    #expect(texts.filter { $0.value.contains("APNS") }.map(\.key) == ["services/push/belfry.env"])
  }

  @Test func `push is handed the key of browsers' pushes, the gateway its public half, and both what signs receipts`()
    async throws
  {
    let texts = try await hand(
      given: """
        BELFRY_VAPID_KEY_FILE=vapid.pem
        BELFRY_VAPID_PREVIOUS_KEY_FILE=
        BELFRY_VAPID_PUBLIC_KEY=BPub
        BELFRY_VAPID_SUBJECT=mailto:you@example.com
        BELFRY_RECEIPTS_KEYS=secret

        """
    )
    #expect(
      texts["services/push/belfry.env"]?.hasSuffix(
        """
        BELFRY_PUSH_WEBPUSH_KEY_FILE=/etc/belfry/files/vapid.pem
        BELFRY_PUSH_WEBPUSH_SUBJECT=mailto:you@example.com
        BELFRY_RECEIPTS_KEYS=secret
        """
      ) == true
    )
    #expect(
      texts["services/gateway/belfry.env"]?.hasSuffix(
        """
        BELFRY_GATEWAY_VAPID_PUBLIC_KEY=BPub
        BELFRY_RECEIPTS_KEYS=secret
        """
      ) == true
    )
    #expect(texts.filter { $0.value.contains("VAPID") || $0.value.contains("WEBPUSH") }.count == 2)
    #expect(texts.filter { $0.value.contains("RECEIPTS") }.count == 2)
  }

  @Test func `gateway and email are handed what signs links to unsubscribe, and email where they lead`() async throws {
    let texts = try await hand(
      given: "BELFRY_EMAIL_HOST=mail.example\nBELFRY_PUBLIC_URL=https://n.example\nBELFRY_UNSUBSCRIBE_KEYS=secret\n"
    )
    #expect(
      texts["services/email/belfry.env"]?.hasSuffix(
        """
        BELFRY_PUBLIC_URL=https://n.example
        BELFRY_UNSUBSCRIBE_KEYS=secret
        """
      ) == true
    )
    #expect(texts["services/gateway/belfry.env"]?.hasSuffix("BELFRY_UNSUBSCRIBE_KEYS=secret") == true)
    #expect(texts.filter { $0.value.contains("UNSUBSCRIBE") }.count == 2)
  }

  @Test func `gateway and email are handed what signs return paths, and the gateway what proves webhooks`() async throws
  {
    let texts = try await hand(
      given: """
        BELFRY_EMAIL_HOST=mail.test
        BELFRY_EMAIL_RETURN_PATH=bounces@b.test
        BELFRY_EMAIL_RETURN_PATH_KEYS=secret
        BELFRY_BOUNCES_POSTMARK_CREDENTIALS=user:password
        BELFRY_BOUNCES_MAILGUN_KEYS=key

        """
    )
    #expect(
      names(texts["services/gateway/belfry.env"]).suffix(3) == [
        "BELFRY_EMAIL_RETURN_PATH_KEYS", "BELFRY_BOUNCES_POSTMARK_CREDENTIALS", "BELFRY_BOUNCES_MAILGUN_KEYS",
      ]
    )
    #expect(
      names(texts["services/email/belfry.env"]).suffix(2) == [
        "BELFRY_EMAIL_RETURN_PATH", "BELFRY_EMAIL_RETURN_PATH_KEYS",
      ]
    )
    #expect(texts.filter { $0.value.contains("BOUNCES") }.count == 1)
  }

  @Test func `what a release before has kept in the one folder goes on`() async throws {
    let kept = ["postgres-password": "p", "rabbitmq-password": "r", "auth-secret": "a", "belfry.env": "former"]
    let texts = try await hand(kept: kept)
    for (name, text) in kept { #expect(texts["secrets/\(name)"] == text) }
    #expect(texts["services/postgres/postgres-password"] == "p")
    #expect(
      texts["services/inapp/belfry.env"] == """
        BELFRY_DATABASE_URL=postgresql://belfry:%70@postgres/belfry
        BELFRY_BROKER_URL=amqp://belfry:%72@rabbitmq:5672/
        BELFRY_AUTH_SECRET=a
        """
    )
  }

  @Test func `with a key set alone there is no token secret`() async throws {
    let texts = try await hand(given: "BELFRY_AUTH_JWKS_FILE=keys.json\n", kept: ["auth-secret": "former"])
    #expect(texts["secrets/auth-secret"] == nil)
    #expect(!texts.values.contains { $0.contains("BELFRY_AUTH_SECRET") })
  }
}
