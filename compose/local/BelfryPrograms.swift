import Foundation

/// The executables of one build: the one that is each service, and the one that is the simulator, which may be the same.
public struct BelfryPrograms: Sendable, Equatable {
  public let services: String
  public let simulator: String
  /// The benchmark beside them, where it is built.
  public let bench: String?

  public init(services: String, simulator: String, bench: String? = nil) {
    self.services = services
    self.simulator = simulator
    self.bench = bench
  }

  /// Those of the build that this process is part of.
  public static var own: BelfryPrograms {
    let services = BelfryProgram.path
    let folder = URL(filePath: services).deletingLastPathComponent().path
    return found(in: folder) ?? BelfryPrograms(services: services, simulator: services)
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

  /// A build has one executable for everything, or a second one, `belfry-dev`, for what no installation needs.
  private static func found(in folder: String) -> BelfryPrograms? {
    func program(_ name: String) -> String? {
      let path = "\(folder)/\(name)"
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue,
        FileManager.default.isExecutableFile(atPath: path)
      else { return nil }
      return path
    }
    guard let services = program("belfry") else { return nil }
    return BelfryPrograms(
      services: services,
      simulator: program("belfry-dev") ?? services,
      bench: program("belfry-bench")
    )
  }
}
