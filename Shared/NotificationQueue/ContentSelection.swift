import NotificationModel

/// Those of a batch's contents that one message points at: each once, in the order in which they are taken. Pure.
struct ContentSelection {
  private let all: [NotificationContent]
  private var indices: [Int: Int] = [:]
  private(set) var contents: [NotificationContent] = []

  init(of all: [NotificationContent]) {
    self.all = all
  }

  /// Takes a content, unless it is there already.
  ///
  /// - Parameter index: In the batch's contents.
  /// - Returns: Its index in ``contents``.
  mutating func take(_ index: Int) -> Int {
    if let taken = indices[index] { return taken }
    indices[index] = contents.count
    contents.append(all[index])
    return contents.count - 1
  }
}
