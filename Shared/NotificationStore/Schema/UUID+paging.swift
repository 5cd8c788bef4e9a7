import Foundation

extension UUID {
  /// Where pages by ascending ids begin: nothing has it.
  static let beforeAll = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
