package import ArgumentParser
package import ConsoleCommands
import Synchronization

/// What a command wrote, and how it ended.
package struct CommandRun: Sendable {
  package let output: String
  /// What was printed beside the output.
  package let notes: String
  /// In words; nil if it did what it was asked.
  package let failure: String?

  package var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The cells of each line of a table: between them are two blanks or more.
  package var cells: [[String]] {
    lines.map { $0.split(separator: /\ {2,}/).map(String.init) }
  }

  /// Runs a command as the program does.
  ///
  /// - Parameters:
  ///   - program: Its root command.
  ///   - input: Standard input.
  ///   - answer: What somebody types who is asked; nil if nobody is there.
  /// - Throws: If the arguments are wrong.
  package static func run(
    _ arguments: [String],
    of program: any ParsableCommand.Type,
    input: String = "",
    answer: String? = nil
  ) async throws -> CommandRun {
    let parsed = try program.parseAsRoot(arguments)
    guard let command = parsed as? any ConsoleCommand else { throw ValidationError("\(arguments) is no command") }
    // As if it were typed: what it names to be copied has these options.
    return await CallerOptions.$current.withValue(CallerOptions(arguments, showsSecrets: true)) {
      await record(input: input, answer: answer) { try await command.run(on: $0) }
    }
  }

  /// Runs a part of a command.
  ///
  /// - Parameters: As of ``run(_:of:input:answer:)``.
  package static func record(
    input: String = "",
    answer: String? = nil,
    isTerminal: Bool = false,
    _ body: (Console) async throws -> Void
  ) async -> CommandRun {
    let recorder = Recorder(input)
    let console = Console(
      out: { bytes in recorder.texts.withLock { $0.output += bytes } },
      error: { bytes in recorder.texts.withLock { $0.notes += bytes } },
      next: {
        // In small pieces, so that lines are divided between them.
        recorder.texts.withLock { texts in
          defer { texts.input.removeFirst(min(7, texts.input.count)) }
          return Array(texts.input.prefix(7))
        }
      },
      answer: { answer },
      isTerminal: isTerminal
    )
    var failure: String?
    do {
      try await body(console)
    } catch {
      failure = "\(error)"
    }
    return recorder.texts.withLock { texts in
      CommandRun(
        output: String(decoding: texts.output, as: UTF8.self),
        notes: String(decoding: texts.notes, as: UTF8.self),
        failure: failure
      )
    }
  }
}

private final class Recorder: Sendable {
  let texts: Mutex<(output: [UInt8], notes: [UInt8], input: [UInt8])>

  init(_ input: String) {
    texts = Mutex(([], [], Array(input.utf8)))
  }
}
