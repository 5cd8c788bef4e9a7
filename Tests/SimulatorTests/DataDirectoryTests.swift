import Cryptography
import Foundation
import BelfryJSON
import Testing

@testable import Simulator

struct DataDirectoryTests {
  private func permissions(_ directory: DataDirectory, _ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: directory.path(name))[.posixPermissions] as? Int
  }

  @Test func `certificates and keys are made once and private`() throws {
    try DataDirectory.temporary { directory in
      _ = try ServerCertificate(directory)
      let names = ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"]
      let first = try names.map { try directory.read($0) }
      _ = try ServerCertificate(directory)
      #expect(try names.map { try directory.read($0) } == first)
      #expect(try permissions(directory, "ca-key.pem") == 0o600)
      #expect(try permissions(directory, "server-key.pem") == 0o600)
    }
  }

  @Test func `the service account keeps its key when the port changes`() throws {
    try DataDirectory.temporary { directory in
      let first = try ServiceAccount(project: "p", directory: directory)
      try first.write(to: directory, port: 1_000)
      let second = try ServiceAccount(project: "p", directory: directory)
      try second.write(to: directory, port: 2_000)
      #expect(second.keyID == first.keyID)
      #expect(second.key.pem == first.key.pem)
      #expect(try permissions(directory, "service-account.json") == 0o600)
      let file = try JSONParser.parse(Array(try #require(try directory.read("service-account.json")).utf8))
      #expect(file["token_uri"] == .string("https://localhost:2000/token"))
      #expect(file["private_key"]?.string?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
      #expect(file["type"] == .string("service_account"))
    }
  }

  @Test func `further names are in a certificate of the same authority, the first in the account's file`() throws {
    try DataDirectory.temporary { directory in
      _ = try ServerCertificate(directory)
      let (authority, first) = (try directory.read("ca.pem"), try directory.read("server.pem"))
      _ = try ServerCertificate(directory, names: ["simulator", "fcm.test"])
      let second = try #require(try directory.read("server.pem"))
      #expect(try directory.read("ca.pem") == authority)
      #expect(second != first)
      let certificate = try Certificate(pem: second)
      for name in ["simulator", "fcm.test", "localhost", "127.0.0.1", "::1"] { #expect(certificate.isFor(name)) }
      #expect(!certificate.isFor("other.test"))
      _ = try ServerCertificate(directory, names: ["simulator", "fcm.test"])
      #expect(try directory.read("server.pem") == second)

      let account = try ServiceAccount(project: "p", host: "simulator", directory: directory)
      try account.write(to: directory, port: 4_443)
      let file = try JSONParser.parse(Array(try #require(try directory.read("service-account.json")).utf8))
      #expect(file["token_uri"] == .string("https://simulator:4443/token"))
    }
  }

  @Test func `a spoilt file stops the start and is named`() throws {
    try DataDirectory.temporary { directory in
      try directory.write("service-account.json", "{}")
      #expect(throws: (any Error).self) { try ServiceAccount(project: "p", directory: directory) }
      try directory.write("ca.pem", "x")
      try directory.write("ca-key.pem", "x")
      #expect(throws: (any Error).self) { try ServerCertificate(directory) }
    }
  }
}
