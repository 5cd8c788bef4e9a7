import Foundation
public import Settings
import Transport

extension MailCheck {
  /// From what an operator gives with the command; what is wrong with it is reported to the settings.
  ///
  /// - Parameters:
  ///   - addresses: From which the mail server sends to the internet.
  ///   - selectors: Of keys with which the mail server signs, as ``ServerKeyName`` has them.
  ///   - resolver: A name server, with or without its port; nil: those of this machine.
  public init(addresses: [String], selectors: [String], resolver: String?, reporting settings: Settings) {
    let known = addresses.compactMap { text -> IPAddress? in
      let address = IPAddress(text)
      if address == nil { settings.problem("--address: expected an IP address, got '\(text.prefix(64))'") }
      return address
    }
    let serverKeys = selectors.compactMap { text -> ServerKeyName? in
      let name = ServerKeyName(text)
      if name == nil {
        settings.problem(
          "--selector: expected the name of a DKIM key such as s1 or s1@mg.example.com, got '\(text.prefix(64))'"
        )
      }
      return name
    }
    var servers: [DNSClient.Server] = []
    if let resolver {
      if let server = DNSClient.Server(resolver) {
        servers = [server]
      } else {
        settings.problem("--resolver: expected an IP address, with or without :port, got '\(resolver.prefix(64))'")
      }
    } else {
      let file = FileManager.default.contents(atPath: "/etc/resolv.conf") ?? Data()
      servers = DNSClient.servers(in: String(decoding: file.prefix(65_536), as: UTF8.self))
    }
    self.init(names: DNSClient(servers: servers), addresses: known, serverKeys: serverKeys)
  }
}
