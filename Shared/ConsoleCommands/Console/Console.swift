import ArgumentParser
import Foundation
import Glibc
import TerminalText

/// Where a command's words go and what it reads: a terminal, pipes, or a test. Nothing that somebody else wrote steers a terminal.
public struct Console: Sendable {
  /// Writes to standard output, and to standard error.
  private let out: @Sendable ([UInt8]) throws -> Void
  private let error: @Sendable ([UInt8]) throws -> Void
  /// The next piece of standard input; empty at its end.
  private let next: @Sendable () throws -> [UInt8]
  /// The next line that somebody types; nil if nobody is there.
  private let answer: @Sendable () -> String?
  /// Whether standard output is shown to somebody, who may be misled by what a terminal does with it.
  private let isTerminal: Bool

  public init(
    out: @escaping @Sendable ([UInt8]) throws -> Void,
    error: @escaping @Sendable ([UInt8]) throws -> Void,
    next: @escaping @Sendable () throws -> [UInt8],
    answer: @escaping @Sendable () -> String?,
    isTerminal: Bool = false
  ) {
    self.out = out
    self.error = error
    self.next = next
    self.answer = answer
    self.isTerminal = isTerminal
  }

  public static let standard = Console(
    out: { try Console.write($0, to: STDOUT_FILENO) },
    error: { try Console.write($0, to: STDERR_FILENO) },
    next: { try Console.piece(of: .standardInput, "-") },
    answer: { isatty(STDIN_FILENO) == 1 ? readLine() ?? "" : nil },
    isTerminal: isatty(STDOUT_FILENO) == 1
  )

  // MARK: Writing

  /// A line.
  ///
  /// - Parameter allowed: Characters that stay, as line feeds of a text of several lines.
  public func say(_ line: String, except allowed: Set<Unicode.Scalar> = []) throws {
    try out(Array((line.escapedForTerminal(except: allowed) + "\n").utf8))
  }

  /// A JSON text, on a line of its own.
  public func json(_ text: some Sequence<UInt8>) throws {
    try out(Array((String(decoding: Array(text), as: UTF8.self).jsonEscapedForTerminal() + "\n").utf8))
  }

  /// Bytes as they are.
  public func write(_ bytes: [UInt8]) throws {
    try out(bytes)
  }

  /// A document as it is, for a file or a pipe; to a terminal, escaped as all that somebody else wrote.
  public func document(_ text: String) throws {
    try out(Array((isTerminal ? text.escapedForTerminal(except: ["\n", "\t"]) : text).utf8))
  }

  /// A line beside the output, for who watches.
  public func note(_ line: String) throws {
    try error(Array((line.escapedForTerminal() + "\n").utf8))
  }

  // MARK: Reading

  /// Asks who watches.
  ///
  /// - Returns: The answer; nil if nobody is there.
  public func ask(_ question: String) throws -> String? {
    try error(Array((question.escapedForTerminal() + " ").utf8))
    return answer()
  }

  /// Hands on a file in pieces; `-` is standard input.
  public func read(_ path: String, _ take: ([UInt8]) throws -> Void) throws {
    guard path != "-" else { return try Self.drain(next, take) }
    guard let file = FileHandle(forReadingAtPath: path) else { throw CommandFailure("\(path): cannot be read") }
    defer { try? file.close() }
    try Self.drain({ try Self.piece(of: file, path) }, take)
  }

  /// What a file is called in messages.
  public static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  private static func drain(_ next: () throws -> [UInt8], _ take: ([UInt8]) throws -> Void) throws {
    while true {
      let piece = try next()
      if piece.isEmpty { return }
      try take(piece)
    }
  }

  private static func piece(of file: FileHandle, _ path: String) throws -> [UInt8] {
    do {
      return Array(try file.read(upToCount: 65_536) ?? Data())
    } catch {
      throw CommandFailure("\(Self.name(of: path)): cannot be read")
    }
  }

  /// Unbuffered, so that what is written in turn on both is read in turn.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        // Who reads has had enough; shells tell of it in this way.
        throw ExitCode(128 + SIGPIPE)
      } else if errno != EINTR {
        throw CommandFailure("The output cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }
}
