import Foundation

extension UUID {
  var lowercased: String { uuidString.lowercased() }
}
