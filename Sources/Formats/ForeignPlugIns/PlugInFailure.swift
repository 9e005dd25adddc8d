// The reason why a file or a plug-in cannot be used.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
package import AuricleSDK
internal import CAudioToolbox
internal import PlugInGuard

/// The reason why a file or a plug-in cannot be used.
package struct PlugInFailure: Error {
  /// The rest of a sentence that begins with the plug-in's name.
  package var reason: String
  /// Whether its file is missing, cannot be loaded, or does not contain it.
  package var isOfBinary: Bool

  /// Makes a failure.
  ///
  /// Context: any.
  package init(reason: String, isOfBinary: Bool = true) {
    self.reason = reason
    self.isOfBinary = isOfBinary
  }

  /// The failure of a unit that could not be initialised.
  package var ofKernel: KernelProcedures.Failure {
    KernelProcedures.Failure(
      status: isOfBinary
        ? OSStatus(kAuricleErr_BinaryCannotLoad) : kAudioUnitErr_FailedInitialization,
      reason: reason)
  }
}

/// A number that a plug-in declares: of its ports, parameters, programs.
package enum DeclaredCount {
  /// Returns a count; throws if it is below zero, or greater than in any sound plug-in.
  ///
  /// Context: any.
  package static func checked<Count: FixedWidthInteger>(
    _ count: Count, of things: String, by owner: String = "it", atMost limit: Count
  ) throws(PlugInFailure) -> Count {
    guard (0...limit).contains(count) else {
      throw PlugInFailure(reason: "\(owner) declares \(count) \(things), not 0 to \(limit)")
    }
    return count
  }
}

/// The files of foreign plug-ins.
package enum PlugInLibrary {
  /// Opens a file; it is never closed, since many crash when they are unloaded. Call it inside
  /// `PlugInLifeCycle.perform`.
  ///
  /// Context: control.
  package static func open(_ path: String) throws(PlugInFailure) -> UnsafeMutableRawPointer {
    if let obstacle = BinaryHeader.obstacle(path) { throw PlugInFailure(reason: obstacle) }
    do throws(ForeignLibrary.Refusal) {
      return unsafe try ForeignLibrary.open(path)
    } catch {
      throw PlugInFailure(
        reason: "its file cannot be loaded: \(PlugInText.line(error.reason, limit: 400))",
        isOfBinary: !error.isForbidden)
    }
  }
}
