import Foundation

/// The executables of one build.
public struct BelfryPrograms: Sendable, Equatable {
  /// `belfry`: what is installed, which is each service when it is called by that service's name.
  public let product: String
  /// `belfry-dev`, which is also the simulator; of a build before there was one, ``product`` is.
  public let workshop: String
  /// The benchmark beside them, where it is built.
  public let bench: String?

  public init(product: String, workshop: String, bench: String? = nil) {
    self.product = product
    self.workshop = workshop
    self.bench = bench
  }

  /// Those of the build that this process is part of: beside its own program, whichever that is, for tests have another one.
  ///
  /// - Throws: ``LocalStackError/Code/missingProgram`` with the command that builds them.
  public static func own() throws(LocalStackError) -> BelfryPrograms {
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return try beside(URL(filePath: program).deletingLastPathComponent().path)
  }

  /// Both programs of a folder.
  static func beside(_ folder: String) throws(LocalStackError) -> BelfryPrograms {
    for name in ["belfry", "belfry-dev"] where program(name, in: folder) == nil {
      throw LocalStackError(
        .missingProgram,
        "There is no program \(name) in \(folder).",
        advice: "`belfry` and `belfry-dev` belong in one folder, of one build: in a clone, `make run` builds both."
      )
    }
    return BelfryPrograms(
      product: "\(folder)/belfry",
      workshop: "\(folder)/belfry-dev",
      bench: program("belfry-bench", in: folder)
    )
  }

  /// Those of another build.
  ///
  /// - Parameter directory: A checkout, whose release build counts, or a folder with executables.
  /// - Throws: ``LocalStackError/Code/missingProgram`` with the command that builds them.
  public static func find(in directory: String) throws(LocalStackError) -> BelfryPrograms {
    let root = URL(filePath: directory).standardizedFileURL.path
    let release = "\(root)/.build/release"
    if let programs = found(in: root) ?? found(in: release) { return programs }
    let isCheckout = FileManager.default.fileExists(atPath: "\(root)/Package.swift")
    throw LocalStackError(
      .missingProgram,
      isCheckout
        ? "The checkout \(root) is not built: there is no program belfry in \(release)."
        : "There is no program belfry in \(root), nor in \(release): that is neither a folder of programs nor a checkout.",
      advice: isCheckout ? "Build it with `make -C \(root) build CONFIGURATION=release`." : nil
    )
  }

  /// A build from before there was `belfry-dev` has one executable for everything.
  private static func found(in folder: String) -> BelfryPrograms? {
    guard let product = program("belfry", in: folder) else { return nil }
    return BelfryPrograms(
      product: product,
      workshop: program("belfry-dev", in: folder) ?? product,
      bench: program("belfry-bench", in: folder)
    )
  }

  private static func program(_ name: String, in folder: String) -> String? {
    let path = "\(folder)/\(name)"
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue,
      FileManager.default.isExecutableFile(atPath: path)
    else { return nil }
    return path
  }
}
