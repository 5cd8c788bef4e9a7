import Foundation

/// The person who watches.
enum Terminal {
  /// Prints a line at once, even when the output goes to a file or a pipe.
  static func say(_ text: String) {
    print(text)
    fflush(nil)
  }
}
