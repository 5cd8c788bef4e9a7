import Hummingbird
import NIOCore

/// The bodies that clients of the control port send.
enum ControlBody {
  private static let maximumBytes = 64 * 1_024

  static func collect(_ request: Request) async throws -> [UInt8] {
    do {
      return [UInt8](buffer: try await request.body.collect(upTo: maximumBytes))
    } catch is NIOTooManyBytesError {
      throw ControlError(status: .contentTooLarge, field: "body", message: "at most 64 KiB")
    }
  }
}
