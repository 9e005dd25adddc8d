// Whether plug-ins' libraries have kept anything outside of their instances.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// The static memory of the libraries that plug-ins live in, beside what it was when they were loaded.
///
/// A library whose static memory is as it was when it was loaded remembers nothing of what was done
/// with it: that is quicker to find out than by listening. Until `begin` is called nothing is noted.
///
/// Context: control; one thread, the one that renders.
public enum LibraryMemory {
  /// From now on libraries are noted; those that are loaded by now are the program's own.
  public static func begin() { AuricleLibraryMemoryBegin() }

  /// A library of a plug-in was loaded, and nothing of it was used yet.
  public static func note() { AuricleLibraryMemoryNote() }

  /// Everything was used once: what that left may stay.
  public static func settle() { AuricleLibraryMemorySettle() }

  /// The program loaded libraries of its own, which may remember what they like.
  public static func leaveOut() { AuricleLibraryMemoryLeaveOut() }

  /// Gives the pages of the program's own code and constants back to the system, which has them in their files: most were
  /// only needed to start.
  public static func giveBack() { AuricleLibraryMemoryGiveBack() }

  /// Whether nothing has changed since it was noted; false, too, where a plug-in loaded libraries by itself. Memory that
  /// was allocated is not looked at, only what points to it. Takes about 1 ms for 8 MB.
  public static var isUntouched: Bool { AuricleLibraryMemoryIsUntouched() }

  /// Bytes that are looked at.
  public static var byteCount: Int { AuricleLibraryMemorySize() }
}
