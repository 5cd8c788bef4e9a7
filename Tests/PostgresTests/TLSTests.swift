import Foundation
import LocalStack
import Postgres
import TestSupport
import Testing

extension PostgresTests {
  @Suite struct TLSTests {
    @Test(arguments: ["verify-ca", "verify-full"])
    func `a server whose certificate another authority signed is refused`(mode: String) async throws {
      try await withTLS { server, _, otherCA in
        let url = "\(server.url)?sslmode=\(mode)&sslrootcert=\(otherCA)"
        try await withClient(connectTimeout: .seconds(1), url: url) { client in
          let error = try #require(await postgresError { _ = try await client.query("SELECT 1") })
          #expect(error.code == .cannotConnect)
          #expect(error.description.contains("certificate verify failed"))
        }
      }
    }

    @Test(arguments: ["verify-ca", "verify-full"])
    func `a server with a certificate of the right authority is accepted, and the traffic encrypted`(
      mode: String
    ) async throws {
      try await withTLS { server, rightCA, _ in
        try await withClient(url: "\(server.url)?sslmode=\(mode)&sslrootcert=\(rightCA)") { client in
          let isEncrypted: Bool = try await client.value(
            "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
          )
          #expect(isEncrypted)
          // Large answers and many callers: nothing may stay behind in OpenSSL's buffers.
          try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
              group.addTask {
                let text: String = try await client.value("SELECT repeat('x', \(Int32(number * 997)))")
                return text.utf8.count
              }
            }
            let sizes = try await group.reduce(into: Set()) { $0.insert($1) }
            #expect(sizes == Set((0..<200).map { $0 * 997 }))
          }
        }
      }
    }

    @Test func `a certificate for another host is refused by verify-full`() async throws {
      try await withTLS { server, rightCA, _ in
        let url = "\(server.url)?sslmode=verify-full&sslrootcert=\(rightCA)"
          .replacing("127.0.0.1", with: "localhost")
        try await withClient(connectTimeout: .seconds(1), url: url) { client in
          let error = try #require(await postgresError { _ = try await client.query("SELECT 1") })
          #expect(error.code == .cannotConnect)
          #expect(error.description.contains("does not match host name"))
        }
      }
    }

    /// Switches TLS on at the suite's server, with a self-signed certificate for 127.0.0.1; the body gets the server, that
    /// certificate and another one.
    private func withTLS(_ body: (PostgresServer, String, String) async throws -> Void) async throws {
      let server = try testServer()
      try await TemporaryDirectory.with { directory in
        func make(_ name: String) -> String {
          "openssl req -new -x509 -days 1 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=\(name)"
            + " -addext subjectAltName=IP:127.0.0.1 -keyout \(name).key -out \(name).crt 2>/dev/null"
        }
        try await LocalProcess.run(executable: "sh", arguments: ["-c", make("other")], directory: directory.path)
        try await withClient { client in
          try await client.withConnection { session in
            // In the server's directory and as its user: it insists on owning the key.
            try await session.script(
              """
              CREATE TEMPORARY TABLE output (line text);
              COPY output FROM PROGRAM '\(make("server"))'
              """
            )
            for setting in ["ssl_cert_file = 'server.crt'", "ssl_key_file = 'server.key'", "ssl = on"] {
              _ = try await session.query("ALTER SYSTEM SET \(unescaped: setting)")
            }
            _ = try await session.query("SELECT pg_reload_conf()")
          }
          let certificate: String = try await client.value("SELECT pg_read_file('server.crt')")
          try certificate.write(toFile: directory.file("server.crt"), atomically: true, encoding: .utf8)
        }
        try await eventually("the server speaks TLS") {
          await postgresError {
            try await withClient(connectTimeout: .milliseconds(500), url: "\(server.url)?sslmode=require") { client in
              _ = try await client.query("SELECT 1")
            }
          } == nil
        }
        try await body(server, directory.file("server.crt"), directory.file("other.crt"))
        try await withClient { client in
          _ = try await client.query("ALTER SYSTEM RESET ssl")
          _ = try await client.query("SELECT pg_reload_conf()")
        }
      }
    }
  }
}
