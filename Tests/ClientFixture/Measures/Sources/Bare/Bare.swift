import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An app that asks a server for something, without the client.
@main
struct Bare {
  static func main() async throws {
    guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
      return print("usage: URL")
    }
    let (data, _) = try await URLSession.shared.data(from: url)
    print(try JSONSerialization.jsonObject(with: data))
  }
}
