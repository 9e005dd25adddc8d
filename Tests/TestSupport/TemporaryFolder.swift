// A folder for one test, removed with all it holds.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A new empty folder that is removed when the object goes.
///
/// Keep it in a variable for as long as its files are needed: `withExtendedLifetime`, or a property
/// of the suite. One that lives as long as the process goes with the process.
public final class TemporaryFolder: Sendable {
  /// The folder's path, without symbolic links.
  public let path: String

  /// Makes a folder under the system's temporary folder.
  public init(_ name: String = "auricle-test") throws {
    path = ProcessFolder.path + "/\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit { ProcessFolder.remove(path) }

  /// The path of something in the folder, whether it is there or not.
  public func callAsFunction(_ name: String) -> String {
    path + "/" + name
  }

  /// Writes a text file, making the folders above it, and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file, making the folders above it, and returns its path.
  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    let url = URL(fileURLWithPath: self(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }

  /// Writes a program, and returns its path.
  ///
  /// Another process writes the file, because the kernel starts no program that is open for writing. A process that
  /// another thread starts at the same moment holds this one's open files.
  @discardableResult
  public func writeProgram(_ text: String, to name: String) throws -> String {
    let source = try write(text, to: name + ".text")
    defer { try? FileManager.default.removeItem(atPath: source) }
    return try installProgram(from: source, to: name)
  }

  /// Copies a program, and returns the path of the copy, which another process writes as in `writeProgram`.
  @discardableResult
  public func installProgram(from path: String, to name: String) throws -> String {
    let result = try runProcess("/usr/bin/install", ["-D", "-m", "755", path, self(name)])
    guard result.exitCode == 0 else { throw ProcessStartError(description: result.summary) }
    return self(name)
  }

  /// Makes a folder in the folder, and returns its path.
  @discardableResult
  public func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: self(name), withIntermediateDirectories: true)
    return self(name)
  }

  /// The paths of all files below the folder, relative to it and sorted.
  public var files: [String] {
    (FileManager.default.subpaths(atPath: path) ?? []).filter { name in
      var isFolder: ObjCBool = false
      return unsafe FileManager.default.fileExists(atPath: self(name), isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}
