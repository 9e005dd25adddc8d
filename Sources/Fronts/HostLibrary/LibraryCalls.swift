// Common parts of the library's functions: the installation, errors of a thread, texts across the border.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import CAudioToolbox
import CHostSystem
import ChainPresets
import Foundation
import Glibc
import Workers

/// The installation that the library belongs to.
enum LibraryInstallation {
  /// Finds the program: that of `AURICLE_PROGRAM`, else the one installed with this library.
  ///
  /// - Throws: `.unavailable` where there is none.
  static func host() throws(AuricleError) -> HostPlaces {
    if let named = ProcessInfo.processInfo.environment["AURICLE_PROGRAM"], !named.isEmpty {
      guard isProgram(named) else {
        throw AuricleError(
          .unavailable, "AURICLE_PROGRAM names \(named), which is no program: name auricle's path")
      }
      return HostPlaces(executable: named)
    }
    let folder = ownFolder()
    for place in ["auricle", "../auricle", "../bin/auricle", "../../bin/auricle"] {
      let path = (folder + "/" + place as NSString).standardizingPath
      if isProgram(path) { return HostPlaces(executable: path) }
    }
    throw AuricleError(
      .unavailable,
      "the program auricle is not beside libauricle.so in \(folder): name its path in AURICLE_PROGRAM"
    )
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }

  private static func ownFolder() -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard unsafe AuricleOwnFile(&path, path.count) else { return "." }
    let text = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (text as NSString).deletingLastPathComponent
  }
}

/// The last failure of a thread.
enum LastFailure {
  private static let key = "org.auricle.failure"

  /// Its sentence; empty before the first.
  static var text: String {
    get { Thread.current.threadDictionary[key] as? String ?? "" }
    set { Thread.current.threadDictionary[key] = newValue }
  }

  /// Runs a function of the library; returns 0, or the status of its error.
  static func status(_ body: () throws -> Void) -> OSStatus {
    do {
      try body()
      return 0
    } catch let error as AuricleError {
      text = error.message
      return error.status != 0 ? error.status : OSStatus(error.category.rawValue)
    } catch let errors as PresetErrors {
      text = PresetFailure.text(errors)
      return OSStatus(errors.category.rawValue)
    } catch let refusal as WorkerRefusal {
      text = refusal.text
      return OSStatus(refusal.category.rawValue)
    } catch {
      text = "\(error)"
      return OSStatus(AuricleError.Category.software.rawValue)
    }
  }
}

/// Texts across the border.
enum BorderText {
  /// A text of the caller's.
  ///
  /// - Throws: `.usage` for NULL, and for bytes that are not UTF-8.
  static func required(_ text: UnsafePointer<CChar>?, _ name: String) throws(AuricleError) -> String
  {
    guard let text = unsafe text else {
      throw AuricleError(.usage, status: kAudio_ParamError, "\(name) is NULL")
    }
    guard let read = unsafe String(validatingCString: text) else {
      throw AuricleError(.usage, status: kAudio_ParamError, "\(name) is not UTF-8")
    }
    return read
  }

  /// A text of the caller's; nil for NULL.
  static func optional(
    _ text: UnsafePointer<CChar>?, _ name: String
  ) throws(AuricleError) -> String? {
    guard unsafe text != nil else { return nil }
    return try unsafe required(text, name)
  }

  /// Passes a value to the caller as JSON.
  static func pass(
    _ value: some Encodable, to place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  )
    throws
  {
    guard let place = unsafe place else {
      throw AuricleError(.usage, status: kAudio_ParamError, "the place for the answer is NULL")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    unsafe place.pointee = strdup(text)
  }
}
