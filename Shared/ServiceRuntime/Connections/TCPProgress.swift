import Glibc
import NIOCore

/// How far a client has come with what was written to it.
struct TCPProgress {
  /// Bytes that wait in the channel because the kernel has no room for them.
  let waiting: Int
  /// Bytes that the client's kernel has acknowledged since the connection began; asked only while bytes wait, else 0.
  ///
  /// The kernel makes room in great steps, up to a third of a send buffer of megabytes; what it hears from the client tells of
  /// every segment.
  let taken: UInt64

  /// Where Linux's `struct tcp_info` has `tcpi_bytes_acked`: its layout is part of the kernel's interface since 4.1, but
  /// glibc's own copy ends before.
  private static let acknowledged = 120

  /// To be asked on the channel's event loop. Nil when the channel is closed.
  init?(of channel: any Channel) {
    guard channel.isActive, let options = channel.syncOptions else { return nil }
    do {
      waiting = try options.getOption(.bufferedWritableBytes)
      taken = waiting == 0 ? 0 : try Self.acknowledgedBytes(on: channel)
    } catch {
      return nil
    }
  }

  private static func acknowledgedBytes(on channel: any Channel) throws -> UInt64 {
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
      withUnsafeTemporaryAllocation(byteCount: acknowledged + 8, alignment: 8) { info in
        var size = socklen_t(info.count)
        guard getsockopt(socket, CInt(IPPROTO_TCP), TCP_INFO, info.baseAddress, &size) == 0, size == info.count
        else { return 0 }
        return info.load(fromByteOffset: acknowledged, as: UInt64.self)
      }
    } ?? 0
  }
}
