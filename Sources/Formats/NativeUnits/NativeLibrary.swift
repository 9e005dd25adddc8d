// The binary of a bundle: opened once, when the first of its units is.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc
import PlugInGuard
import RealtimeSupport
import Synchronization

/// A shared object that is opened when it is first needed, and never closed.
///
/// Never closed because a plug-in written in Swift cannot be: the runtime keeps pointers into it.
final class NativeLibrary: Sendable {
  private let bundle: String
  private let binary: String
  private let ships: Bool
  /// The result of `dlopen`, as a bit pattern; 0 before that.
  private let handle = Atomic<UInt>(0)

  /// - Parameter ships: Whether it came with the program: then its retained state is the program's own.
  init(bundle: String, binary: String, ships: Bool) {
    self.bundle = bundle
    self.binary = binary
    self.ships = ships
  }

  /// Calls a factory function of the library, which makes one instance.
  ///
  /// - Throws: `.unavailable`, with the path of the bundle.
  ///
  /// Context: control.
  func makePlugIn(
    factory: String, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    // A shipped binary leaves the process as it is; checking that costs more than loading it.
    if ships { return unsafe try makeInstance(factory, description) }
    return unsafe try withProtectedProcessState { () throws(AuricleError) in
      unsafe try makeInstance(factory, description)
    }
  }

  private func makeInstance(
    _ factory: String, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let library = unsafe try Heartbeat.during(.load) { () throws(AuricleError) in unsafe try open()
    }
    guard let symbol = unsafe dlsym(library, factory) else {
      throw failure(
        "its binary has no function \"\(factory)\", which its Info.plist names as factoryFunction; "
          + "install a build of it that fits together", cause: .binaryCannotLoad)
    }
    let makeInstance = unsafe unsafeBitCast(symbol, to: AudioComponentFactoryFunction.self)
    var description = description
    guard let plugIn = unsafe makeInstance(&description) else {
      throw failure("its factory function \"\(factory)\" made no instance of \(description.triple)")
    }
    return unsafe plugIn
  }

  /// The open library. Two threads may both open it the first time: the loader counts, no harm.
  private func open() throws(AuricleError) -> UnsafeMutableRawPointer {
    if let library = unsafe UnsafeMutableRawPointer(bitPattern: handle.load(ordering: .acquiring)) {
      return unsafe library
    }
    let name = String(binary.dropFirst(bundle.count + 1))
    if let defect = ELFHeader.defect(ofFileAt: binary, named: name) {
      throw failure(defect, cause: .binaryCannotLoad)
    }
    let library = unsafe try load()
    if ships { LibraryMemory.leaveOut() } else { LibraryMemory.note() }
    handle.store(UInt(bitPattern: library), ordering: .releasing)
    return unsafe library
  }

  private func load() throws(AuricleError) -> UnsafeMutableRawPointer {
    do throws(ForeignLibrary.Refusal) {
      do throws(ForeignLibrary.Refusal) {
        return unsafe try ForeignLibrary.open(binary, ships: ships)
      } catch {
        // It may call Core Audio's functions: once our library of them is there, it can be opened.
        guard !error.isForbidden, ToolboxLibrary.load() else { throw error }
        return unsafe try ForeignLibrary.open(binary, ships: ships)
      }
    } catch {
      throw failure(
        "its binary cannot be loaded: \(LoaderReason.text(error.reason))",
        cause: error.isForbidden ? nil : .binaryCannotLoad)
    }
  }

  private func failure(_ clause: String, cause: AuricleError.Cause? = nil) -> AuricleError {
    AuricleError(.unavailable, "\(bundle) cannot be opened: \(clause).", cause: cause)
  }
}
