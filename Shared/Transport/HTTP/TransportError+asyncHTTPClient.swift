import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension TransportError {
  /// The error for a request that async-http-client ended with `error`.
  static func asyncHTTPClient(_ error: any Error) -> TransportError {
    func made(_ code: Code, isTransient: Bool = true, processed: Bool = false) -> TransportError {
      TransportError(code, isTransient: isTransient, mayHaveBeenProcessed: processed, detail: "\(error)")
    }
    switch error {
    case is CancellationError: return .cancelled
    case is NIOTooManyBytesError: return made(.tooLarge, isTransient: false, processed: true)
    case is NIOConnectionError: return made(.cannotConnect)
    // An address that needs no lookup fails by itself.
    case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
      return made(.cannotConnect)
    case HTTPParserError.invalidEOFState: return made(.connectionLost, processed: true)
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: return made(.tls, isTransient: false)
    case is HTTPParserError: return made(.badResponse, processed: true)
    case let error as HTTPClientError: return httpClient(error, made)
    default: return made(.connectionLost, processed: true)
    }
  }

  private static func httpClient(
    _ error: HTTPClientError,
    _ made: (Code, Bool, Bool) -> TransportError
  ) -> TransportError {
    switch error {
    case .cancelled: .cancelled
    case .alreadyShutdown: .closed
    case .connectTimeout, .tlsHandshakeTimeout: made(.timeout, true, false)
    case .deadlineExceeded, .readTimeout, .writeTimeout: made(.timeout, true, true)
    case .invalidURL, .emptyHost, .emptyScheme: .invalid("url")
    case _ where error.shortDescription.hasPrefix("Unsupported scheme"): .invalid("url")
    default: made(.connectionLost, true, true)
    }
  }
}
