/// Why a command could not do what it was asked to, in words for the person at the terminal.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
