import Foundation
import BelfryJSON

/// A push that APNs would accept: read strictly, so that a mistake shows here and not with Apple.
struct APNsPush: Sendable {
  static let maximumPayload = 4_096
  static let maximumCollapseID = 64

  let token: String
  let topic: String
  let pushType: String
  let priority: Int
  let expiration: Int?
  let collapseID: String?
  let notificationID: String?
  /// The headers but the authorization, in the order in which they came.
  let headers: [(name: String, value: String)]
  let json: [UInt8]

  private static let pushTypes: Set = [
    "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity", "pushtotalk",
    "widgets", "controls",
  ]
  /// Those that may come once.
  private static let single = [
    "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "authorization",
  ]

  /// The id of a request for the answer: its own, if that is one.
  static func id(of request: ReceivedRequest) -> String {
    request["apns-id"].flatMap { UUID(uuidString: $0) == nil ? nil : $0 } ?? UUID().uuidString
  }

  init(_ request: ReceivedRequest) throws(APNsReason) {
    guard request.method == "POST" else { throw .methodNotAllowed }
    guard request.path.hasPrefix("/3/device/") else {
      if request.path == "/3/device" { throw .missingDeviceToken }
      throw .badPath
    }
    token = String(request.path.dropFirst("/3/device/".count))
    if token.isEmpty { throw .missingDeviceToken }
    for name in Self.single where request.headers.count(where: { $0.name == name }) > 1 { throw .duplicateHeaders }
    if let id = request["apns-id"], UUID(uuidString: id) == nil { throw .badMessageID }
    guard let topic = request["apns-topic"], !topic.isEmpty else { throw .missingTopic }
    self.topic = topic
    if !topic.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { throw .badTopic }
    pushType = request["apns-push-type"] ?? "alert"
    if !Self.pushTypes.contains(pushType) { throw .invalidPushType }
    priority = try Self.number(request["apns-priority"], or: .badPriority) ?? 10
    if ![1, 5, 10].contains(priority) || pushType == "background" && priority == 10 { throw .badPriority }
    expiration = try Self.number(request["apns-expiration"], or: .badExpirationDate)
    collapseID = request["apns-collapse-id"]
    if let collapseID, collapseID.utf8.count > Self.maximumCollapseID { throw .badCollapseID }
    guard let body = request.body, body.count <= Self.maximumPayload else { throw .payloadTooLarge }
    guard !body.isEmpty, let document = try? JSONParser.parse(body), let aps = document["aps"], aps.members != nil
    else {
      throw .payloadEmpty
    }
    notificationID = document["notificationId"]?.string
    headers = request.headers.filter { $0.name != "authorization" }
    json = body
  }

  private static func number(_ text: String?, or reason: APNsReason) throws(APNsReason) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), number >= 0 else { throw reason }
    return number
  }
}
