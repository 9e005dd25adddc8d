// Whether plug-ins' libraries have kept anything outside of their instances.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// The static memory of plug-ins' libraries, compared with that at their loading.
///
/// A library whose static memory is as it was when it was loaded has kept nothing of its use. That
/// is quicker to find out than by comparing sound. Until `begin` is called nothing is noted.
///
/// Context: control; one thread, the one that renders.
public enum LibraryMemory {
  /// Notes libraries from now on; those loaded by now are the program's own.
  public static func begin() { AuricleLibraryMemoryBegin() }

  /// A library of a plug-in was loaded, and nothing of it was used yet.
  public static func note() { AuricleLibraryMemoryNote() }

  /// Settles after the first use of everything: its changes may stay.
  public static func settle() { AuricleLibraryMemorySettle() }

  /// Leaves out libraries that the program loaded for itself, which may keep any state.
  public static func leaveOut() { AuricleLibraryMemoryLeaveOut() }

  /// Returns the pages of the program's own code and constants to the system, which has them in their files: most were
  /// only needed to start.
  public static func release() { AuricleLibraryMemoryGiveBack() }

  /// Whether nothing has changed since it was noted; false, too, where a plug-in loaded libraries by itself. Allocated
  /// memory is not compared, only pointers to it. Needs about 1 ms for 8 MB.
  public static var isUntouched: Bool { AuricleLibraryMemoryIsUntouched() }

  /// Bytes that are compared.
  public static var byteCount: Int { AuricleLibraryMemorySize() }
}
