// The files of a bundle that only its adapter can write, since only the units know their content.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import PlugInGuard

/// The description of an exported bundle.
package enum ExportDescription {
  /// Loads an adapter into this process as a host does, and has it write its files to standard output.
  ///
  /// - Returns: Files, each as a line with its name, a line with its size, and its bytes.
  /// - Throws: `.unavailable` when the adapter cannot be loaded, `.badData` with the reason why a unit cannot be exported.
  ///
  /// Context: control, in a process that may be lost.
  package static func read(from file: String) throws(AuricleError) -> String {
    let library: UnsafeMutableRawPointer
    do throws(ForeignLibrary.Refusal) {
      unsafe library = try ForeignLibrary.open(file)
    } catch {
      throw AuricleError(.unavailable, "\(file) cannot be loaded: \(error.reason)")
    }
    guard let symbol = unsafe dlsym(library, "auricle_describe") else {
      throw AuricleError(
        .badData, "\(file) is no adapter of this version: build or install Auricle again")
    }
    typealias Describe =
      @convention(c) (
        @convention(c) (
          UnsafeMutableRawPointer?, UnsafePointer<CChar>, UnsafePointer<CChar>?, Int
        ) -> Void, UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>, Int
      ) -> Int32
    let describe = unsafe unsafeBitCast(symbol, to: Describe.self)
    var output: [UInt8] = []
    var reason = [CChar](repeating: 0, count: 1024)
    let status = unsafe withUnsafeMutablePointer(to: &output) { output in
      unsafe describe(
        { context, name, bytes, count in
          guard let context = unsafe context, let bytes = unsafe bytes else { return }
          let output = unsafe context.assumingMemoryBound(to: [UInt8].self)
          unsafe output.pointee += Array("\(String(cString: name))\n\(count)\n".utf8)
          unsafe output.pointee += Array(UnsafeRawBufferPointer(start: bytes, count: count))
        }, UnsafeMutableRawPointer(output), &reason, reason.count)
    }
    guard status == 0 else {
      let text = String(
        decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw AuricleError(.badData, "it cannot be exported: \(text)")
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Asks a program that calls `read` for the files of an adapter.
  ///
  /// - Throws: `.badData` with the reason that the program wrote, `.software` when it crashed or hung.
  ///
  /// Context: control.
  static func ask(
    _ program: String, about file: String
  ) throws(AuricleError) -> [(name: String, bytes: [UInt8])] {
    let child = ChildProcess.run(
      program, ["plugin", "describe-export", file], timeLimit: .seconds(60), graceTime: 5,
      endsGroup: true)
    guard child.end == .exited(0) else {
      if case .exited(let code) = child.end, code == AuricleError.Category.badData.rawValue {
        throw AuricleError(.badData, String(decoding: child.output, as: UTF8.self))
      }
      throw AuricleError(
        .software, "\(file) crashed, hung or could not be loaded while it described its units")
    }
    var files: [(name: String, bytes: [UInt8])] = []
    var rest = child.output[...]
    while !rest.isEmpty {
      guard let name = line(&rest), let count = line(&rest).flatMap({ Int($0) }), count >= 0,
        count <= rest.count, !name.isEmpty, !name.contains("/")
      else {
        throw AuricleError(.software, "\(file) sent a description of its units that cannot be read")
      }
      files.append((name, Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return files
  }

  private static func line(_ bytes: inout ArraySlice<UInt8>) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { bytes = bytes[(end + 1)...] }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
