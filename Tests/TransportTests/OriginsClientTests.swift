import Foundation
import Glibc
import LocalStack
import Logging
import NetworkAddresses
import TestSupport
import Testing

@testable import Transport

/// Servers that are not known beforehand, and where their names may lead.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OriginsClientTests {
  private func client(_ directory: TemporaryDirectory, _ change: (inout HTTPClientConfiguration) -> Void = { _ in })
    -> OriginsClient
  {
    OriginsClient(configuration: configuration(directory, change), logger: .quiet)
  }

  private func configuration(
    _ directory: TemporaryDirectory,
    _ change: (inout HTTPClientConfiguration) -> Void = { _ in }
  ) -> HTTPClientConfiguration {
    var configuration = HTTPClientConfiguration()
    configuration.caFile = directory.certificate
    configuration.timeout = .seconds(10)
    change(&configuration)
    return configuration
  }

  /// OpenSSL's server of files, which speaks HTTP/1.0 and no other.
  private func withOldServer(_ body: (_ url: String, TemporaryDirectory) async throws -> Void) async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.makeCertificate()
      try Data("old".utf8).write(to: URL(filePath: directory.file("file")))
      let port = try FreePort.find()
      let process = try LocalProcess.spawn(
        executable: "/bin/sh",
        arguments: [
          "-c",
          "cd '\(directory.path)' && exec openssl s_server -accept 127.0.0.1:\(port) -cert '\(directory.certificate)' "
            + "-key '\(directory.key)' -WWW",
        ],
        logFile: directory.file("s_server.log")
      )
      do {
        try await eventually("s_server listens") { TestPeer.isOpen(port) || !process.isRunning }
        try await body("https://127.0.0.1:\(port)", directory)
      } catch {
        process.signal(SIGKILL)
        await process.waitForExit()
        throw error
      }
      process.signal(SIGKILL)
      await process.waitForExit()
    }
  }

  @Test func `a server of HTTP/2 gets connections of its own, and each caller its own answer`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server.directory)
      for round in 0..<2 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<200 {
            group.addTask {
              let body = Array("\(round) \(number)".utf8)
              let request = HTTPRequest(method: "POST", url: "\(server.url)/echo", body: body)
              let response = try await client.send(request)
              #expect(response.status == 200 && response.httpVersion == "2" && response.body == body)
            }
          }
          try await group.waitForAll()
        }
      }
      await client.close()
      // Those of the first requests, and those of the others.
      #expect(try (2...4).contains(server.connectionsUsed()))
      let refused = await #expect(throws: TransportError.self) {
        _ = try await client.send(HTTPRequest(url: "\(server.url)/file"))
      }
      #expect(refused?.code == .closed)
    }
  }

  @Test(arguments: [Duration.seconds(300), .zero])
  func `more origins than get connections of their own are served, and the one out of use makes room`(_ idle: Duration)
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let addresses = (1...OriginsClient.maximumOrigins + 2).map { "127.0.0.\($0)" }
      try await directory.makeCertificate(for: addresses.map { "IP:\($0)" }.joined(separator: ","))
      try Data("here".utf8).write(to: URL(filePath: directory.file("file")))
      let server = try await HTTP2Server.start(in: directory, port: FreePort.find())
      let client = OriginsClient(configuration: configuration(directory), logger: .quiet, idle: idle)
      let origins = addresses.map { "https://\($0):\(server.port)" }
      func ask(_ origin: String) async throws {
        let response = try await client.send(HTTPRequest(url: "\(origin)/file"))
        #expect(response.status == 200 && response.body == Array("here".utf8), "\(origin)")
      }
      do {
        for origin in origins.dropLast(2) { try await ask(origin) }
        #expect(client.origins == Set(origins.dropLast(2)))
        // It is in use again: the second one is out of use for longest.
        try await ask(origins[0])
        for origin in origins.suffix(2) { try await ask(origin) }
        let kept = idle == .zero ? Set(origins).subtracting(origins[1...2]) : Set(origins.dropLast(2))
        #expect(client.origins == kept)
        // With connections of their own or not, and those that made room.
        for origin in origins { try await ask(origin) }
        #expect(client.origins.count == OriginsClient.maximumOrigins)
        await client.close()
        await server.kill()
      } catch {
        await client.close()
        await server.kill()
        throw error
      }
    }
  }

  @Test func `a server that speaks no HTTP/2 is asked as it can, again and again`() async throws {
    try await withOldServer { url, directory in
      let client = client(directory)
      for _ in 0..<3 {
        let response = try await client.send(HTTPRequest(url: "\(url)/file"))
        #expect(response.status == 200 && response.httpVersion == "1.0")
        #expect(String(decoding: response.body, as: UTF8.self) == "old")
      }
      await client.close()
    }
  }

  @Test func `a server that has become another one is found out again`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server.directory)
      for _ in 0..<2 { _ = try await client.send(HTTPRequest(url: "\(server.url)/file")) }
      await server.kill()
      await #expect(throws: TransportError.self) { _ = try await client.send(HTTPRequest(url: "\(server.url)/file")) }
      let again = try await HTTP2Server.start(in: server.directory, port: server.port)
      try await eventually("it is reached again") {
        do {
          return try await client.send(HTTPRequest(url: "\(again.url)/file")).status == 200
        } catch is TransportError {
          return false
        }
      }
      await client.close()
      await again.kill()
    }
  }

  @Test func `a server that resets all streams of its own client is asked as at first`() async throws {
    try await OddHTTP2Server.with { server in
      let client = client(server.directory)
      let request = HTTPRequest(url: "\(server.url)/reset")
      let first = try await client.send(request)
      #expect(first.status == 200)
      let error = await #expect(throws: TransportError.self) { _ = try await client.send(request) }
      #expect(error?.code == .connectionLost)
      for _ in 0..<5 {
        let answer = try await client.send(request)
        #expect(answer.status == 200)
      }
      await client.close()
    }
  }

  @Test func `a server that asks for HTTP/1.1 is found out again, although it has answered`() async throws {
    try await OddHTTP2Server.with { server in
      let client = client(server.directory)
      for _ in 0..<2 { _ = try await client.send(HTTPRequest(url: "\(server.url)/ok")) }
      let request = HTTPRequest(url: "\(server.url)/required")
      let error = await #expect(throws: TransportError.self) { _ = try await client.send(request) }
      #expect(error?.code == .badResponse && error?.mayHaveBeenProcessed == false)
      let answer = try await client.send(request)
      #expect(answer.status == 200)
      await client.close()
    }
  }

  // MARK: Private networks

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `an address in a private network is not connected to, whatever name leads there`(_ host: String) async throws {
    try await HTTP2Server.with { server in
      let url = "https://\(host):\(server.port)/file"
      let origins = client(server.directory) { $0.publicAddressesOnly = true }
      let http = HTTPClient(
        configuration: configuration(server.directory) { $0.publicAddressesOnly = true },
        logger: .quiet
      )
      let http2 = try HTTP2Client(
        origin: "https://\(host):\(server.port)",
        configuration: configuration(server.directory) { $0.publicAddressesOnly = true },
        logger: .quiet
      )
      for send in [origins.send, http.send, http2.send] {
        let error = await #expect(throws: TransportError.self) { _ = try await send(HTTPRequest(url: url)) }
        #expect(error?.code == .addressNotPublic)
        #expect(error?.mayHaveBeenProcessed == false)
      }
      await origins.close()
      await http.close()
      await http2.close()
      #expect(try server.connectionsUsed() == 0)
    }
  }

  @Test func `plain HTTP leads there as little`() async throws {
    let peer = try TestPeer()
    var configuration = HTTPClientConfiguration()
    configuration.publicAddressesOnly = true
    let client = OriginsClient(configuration: configuration, logger: .quiet)
    for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433"] {
      let error = await #expect(throws: TransportError.self, "\(host)") {
        _ = try await client.send(HTTPRequest(url: "http://\(host):\(peer.port)/"))
      }
      #expect(error?.code == .addressNotPublic, "\(host)")
    }
    await client.close()
  }
}
