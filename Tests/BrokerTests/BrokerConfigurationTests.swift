import Broker
import Testing

struct BrokerConfigurationTests {
  @Test func `a URL names hosts, user and virtual host`() throws {
    let it = try BrokerConfiguration(url: "amqp://us%40er:p%2Fw@one:1234,two,[::1]:99/v%2Fh")
    #expect(it.user == "us@er")
    #expect(it.virtualHost == "v/h")
    #expect(it.hosts.map(\.description) == ["one:1234", "two:5672", "[::1]:99"])
    #expect(!it.usesTLS)
  }

  @Test(arguments: ["amqp://host", "amqp://host/", "amqp://host/%2f"])
  func `the virtual host is a slash unless named`(url: String) throws {
    #expect(try BrokerConfiguration(url: url).virtualHost == "/")
  }

  @Test func `TLS has its own scheme and port`() throws {
    let it = try BrokerConfiguration(url: "amqps://host")
    #expect(it.usesTLS)
    #expect(it.hosts.map(\.port) == [5_671])
  }

  @Test(arguments: [
    "", "host", "http://host", "amqp://", "amqp://a:s3cret@", "amqp://a:s3cret@h:x/", "amqp://a:s3cret@h:0",
    "amqp://a:s3cret@h,,i", "amqp://a:s3cret%zz@h", "amqp://a:s3cret@h/?heartbeat=5",
  ])
  func `a malformed URL is refused without repeating it`(url: String) throws {
    let error = #expect(throws: BrokerError.self) { try BrokerConfiguration(url: url) }
    #expect(error?.code == .invalidConfiguration)
    #expect(!String(reflecting: error).contains("s3cret"))
  }

  @Test func `no way of printing shows the password`() throws {
    let it = try BrokerConfiguration(url: "amqp://user:s3cret@host/")
    var dumped = ""
    dump(it, to: &dumped)
    #expect(!"\(it) \(String(reflecting: it)) \(dumped)".contains("s3cret"))
  }
}
