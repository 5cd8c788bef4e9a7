import Cryptography
import Settings

/// The team whose keys the simulator accepts, one for each environment, as Apple gives them since 2025.
///
/// The keys are made once: `apns-production.p8` and `apns-sandbox.p8`, which the push dispatcher is given.
struct APNsAccount: Sendable {
  struct Key: Sendable {
    let environment: APNsEnvironment
    let id: String
    let key: PrivateKey
  }

  static let teamID = "BELFRYTEAM"
  /// Bundle id of the only app; topics below it are its own, too.
  static let topic = "com.example.belfry"

  let keys: [Key]

  init(directory: DataDirectory) throws(StartError) {
    var keys: [Key] = []
    for environment in APNsEnvironment.allCases {
      keys.append(
        Key(environment: environment, id: Self.keyID(of: environment), key: try Self.key(of: environment, directory))
      )
    }
    self.keys = keys
  }

  static func keyID(of environment: APNsEnvironment) -> String {
    switch environment {
    case .production: "PRODUCTION"
    case .sandbox: "SANDBOXKEY"
    }
  }

  private static func key(of environment: APNsEnvironment, _ directory: DataDirectory) throws(StartError) -> PrivateKey
  {
    let name = "apns-\(environment.rawValue).p8"
    do {
      if let text = try directory.read(name) { return try PrivateKey(pem: text, .p256) }
      let key = try PrivateKey(.p256)
      try directory.write(name, key.pem, isPrivate: true)
      return key
    } catch let error as StartError {
      throw error
    } catch {
      throw StartError("\(directory.path(name)) does not work, delete it to get a new one: \(error)")
    }
  }
}
