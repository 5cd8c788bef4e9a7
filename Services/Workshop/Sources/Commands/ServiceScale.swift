import ArgumentParser
import LocalStack

/// `push=2,router=2`
struct ServiceScale: ExpressibleByArgument {
  var counts: [BelfryService: Int] = [:]

  init() {}

  init?(argument: String) {
    for part in argument.split(separator: ",") {
      let pair = part.split(separator: "=").map(String.init)
      guard pair.count == 2, let service = BelfryService(rawValue: pair[0]), let count = Int(pair[1]),
        (0...32).contains(count)
      else { return nil }
      counts[service] = count
    }
  }

  var defaultValueDescription: String { "one of each" }
}
