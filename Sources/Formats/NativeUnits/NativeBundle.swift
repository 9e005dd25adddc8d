// One `.component` bundle as its Info.plist declares it; the binary is located, not opened.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox
import Glibc
import PropertyLists

/// The readable part of one bundle.
struct NativeBundle {
  /// The folder, `…/NAME.component`.
  let path: String
  /// The good entries; empty if the bundle cannot be used.
  let entries: [NativeBundleEntry]
  /// Faults of the bundle or some of its entries.
  let problems: [ComponentProblem]
  /// The binary. Only to be used when there are entries.
  let library: NativeLibrary

  /// Reads `Contents/Info.plist`.
  ///
  /// - Parameter ships: Whether it came with the program.
  init(path: String, ships: Bool) {
    self.path = path
    do throws(Problem) {
      let list = try Self.readInfo(path)
      let (entries, problems) = try Self.readEntries(list)
      let binary = try entries.isEmpty ? "" : Self.findBinary(list, in: path)
      self.entries = entries
      self.problems = problems.map { ComponentProblem(path: path, message: $0) }
      library = NativeLibrary(bundle: path, binary: binary, ships: ships)
    } catch {
      entries = []
      problems = [ComponentProblem(path: path, message: error.message)]
      library = NativeLibrary(bundle: path, binary: "", ships: ships)
    }
  }

  /// The reason why the whole bundle cannot be used.
  struct Problem: Error {
    var message: String
    init(_ message: String) { self.message = message }
  }

  private static func readInfo(_ path: String) throws(Problem) -> PropertyListValue {
    do throws(PropertyListError) {
      return try PropertyListReader().read(contentsOf: path + "/Contents/Info.plist")
    } catch {
      if error.kind == .unreadable(ENOENT) || error.kind == .unreadable(ENOTDIR) {
        throw Problem(
          "Contents/Info.plist is missing: a component is a folder with that file, which declares "
            + "its units.")
      }
      throw Problem("Contents/Info.plist is not usable: \(error).")
    }
  }

  /// Entries of one bundle that are complained of one by one.
  private static let mostEntryProblems = 10

  private static func readEntries(
    _ list: PropertyListValue
  ) throws(Problem) -> (entries: [NativeBundleEntry], problems: [String]) {
    guard let declared = list["AudioComponents"] else {
      throw Problem(
        "Contents/Info.plist has no key AudioComponents: it must hold an array with an entry for "
          + "each unit.")
    }
    guard let values = declared.arrayValue, !values.isEmpty else {
      throw Problem(
        "AudioComponents in Contents/Info.plist is \(declared.arrayValue == nil ? declared.kindName : "empty"): "
          + "it must be an array with an entry for each unit.")
    }
    var entries: [NativeBundleEntry] = []
    var problems: [String] = []
    var unreportedCount = 0
    for (index, value) in values.enumerated() {
      do throws(Problem) {
        entries.append(try NativeBundleEntry(value))
      } catch {
        guard problems.count < mostEntryProblems else {
          unreportedCount += 1
          continue
        }
        problems.append(
          "Entry \(index + 1) of AudioComponents in Contents/Info.plist is left out: "
            + "\(error.message).")
      }
    }
    if unreportedCount > 0 {
      problems.append(
        "\(unreportedCount) more entries of AudioComponents in Contents/Info.plist are left out.")
    }
    return (entries, problems)
  }

  /// Searches CFBundle's places on Linux, in its order.
  private static func findBinary(
    _ list: PropertyListValue, in path: String
  ) throws(Problem) -> String {
    var name = path.split(separator: "/").last.map { String($0.dropLast(".component".count)) } ?? ""
    if let value = list["CFBundleExecutable"] {
      do throws(Problem) {
        try NativeBundleEntry.refuseVariables(in: value, of: "CFBundleExecutable")
      } catch {
        throw Problem("In Contents/Info.plist, \(error.message).")
      }
      guard let text = value.stringValue, !text.isEmpty, text != ".", text != "..",
        !text.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 })
      else {
        throw Problem(
          "CFBundleExecutable in Contents/Info.plist must be the name of a file, without a path.")
      }
      name = text
    }
    let places = ["Contents/Linux/\(name)", "Contents/Linux/lib\(name).so", "Contents/\(name)"]
    for place in places {
      var status = stat()
      if unsafe stat(path + "/" + place, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        return path + "/" + place
      }
    }
    throw Problem(
      "The binary is missing: there is none of \(places.joined(separator: ", ")); "
        + "install the component again, in a build for Linux.")
  }
}
