import BelfryJSON
import Foundation

@testable import BelfryClient

/// The devices' part of a gateway, in memory. The user is whom the token names.
final class FakeDevices: HTTPTransport {
  struct Device: Sendable {
    let id: UUID
    let user: String
    let address: String
    let installation: String
  }

  struct State: Sendable {
    var devices: [Device] = []
    var requests: [HTTPRequest] = []
    var permissions: [String] = []
    var isDown = false
    /// Whether answers are lost after what was asked has been done.
    var losesAnswers = false
    /// Tokens that have expired.
    var refused: Set<String> = []
    /// What no question is answered with.
    var hangs = false
  }

  let state = Locked(State())

  var devices: [Device] { state.withLock { $0.devices } }
  /// Method and last part of the path.
  var calls: [String] { state.withLock { $0.requests.map { "\($0.method) \($0.url.lastPathComponent)" } } }
  var bodies: [String] { state.withLock { $0.requests.filter { $0.method == "POST" }.map(\.text) } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (answer, losesAnswers, hangs) = try state.withLock { state in
      if state.isDown { throw BelfryError(.offline) }
      state.requests.append(request)
      return (state.answer(request), state.losesAnswers, state.hangs)
    }
    // Others run meanwhile, as with a network.
    for _ in 0..<50 { await Task.yield() }
    if hangs { try await Task.sleep(for: .seconds(86_400)) }
    if losesAnswers { throw BelfryError(.unavailable) }
    return answer
  }
}

extension FakeDevices.State {
  fileprivate mutating func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard let token = request.token, let user = TokenStore.subject(of: token), !refused.contains(token) else {
      return HTTPResponse(status: 401)
    }
    let last = request.url.lastPathComponent
    switch (request.method, last) {
    case ("POST", _): return register(request, user)
    case ("GET", _):
      return HTTPResponse(json: "[\(devices.filter { $0.user == user }.map(\.text).joined(separator: ","))]")
    case ("PUT", _):
      permissions.append(request.text)
      return HTTPResponse(status: 204)
    case ("DELETE", _):
      let before = devices.count
      devices.removeAll { $0.user == user && $0.id.wireText == last }
      return HTTPResponse(status: devices.count < before ? 204 : 404)
    default: return HTTPResponse(status: 404)
    }
  }

  private mutating func register(_ request: HTTPRequest, _ user: String) -> HTTPResponse {
    guard let body = try? JSONParser.parse(Array(request.body ?? Data())),
      let address = (body["token"] ?? body["fid"])?.string, let installation = body["installationId"]?.string,
      body["userId"] == nil || body["userId"]?.string == user
    else { return HTTPResponse(status: 400) }
    let known = devices.first { $0.address == address }
    let device = FakeDevices.Device(
      id: known?.id ?? UUID(),
      user: user,
      address: address,
      installation: installation
    )
    devices.removeAll { $0.address == address }
    devices.append(device)
    return HTTPResponse(json: device.text)
  }
}

extension FakeDevices.Device {
  fileprivate var text: String {
    #"{"id":"\#(id.wireText)","platform":1,"kind":"fcm","isActive":true,"installationId":"\#(installation)"}"#
  }
}

/// A token that says whose it is.
func signedToken(_ user: String, _ number: Int = 1) -> String {
  let claims = Data(#"{"sub":"\#(user)"}"#.utf8).base64EncodedString().replacing("=", with: "")
  return "e30.\(claims).\(number)"
}
