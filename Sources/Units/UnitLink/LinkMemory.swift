// The memory of a connection between a host and a unit in another process, and one side of it.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
package import CUnitLink
import Glibc
import HostSystem

extension AuricleLinkForm {
  /// The usual room for events of a slice, in bytes.
  package static let usualEventCapacity: UInt32 = 1 << 16
}

/// One side of a connection: sealed memory that both processes have, mapped here.
///
/// @unchecked Sendable because the link says which thread may call what; the rest never changes.
@safe package final class LinkMemory: @unchecked Sendable {
  /// The side that the functions of `UnitLink.h` use; valid as long as this object lives.
  package let link: OpaquePointer
  /// The form of slices.
  package let form: AuricleLinkForm
  /// The open memory, which is sent to the other process.
  package let descriptor: Int32
  private let memory: UnsafeMutableRawPointer
  private let size: Int

  /// Makes the memory of a connection. The host's side.
  ///
  /// - Throws: What the system has no more of; `.software` for a form that is none.
  ///
  /// Context: control.
  package init(_ form: AuricleLinkForm) throws(AuricleError) {
    guard AuricleLinkFormIsValid(form, .max) else {
      throw AuricleError(
        .software,
        "a unit in another process has slices of 1 to 65536 frames, and at most 1024 channels")
    }
    let size = AuricleLinkSize(form)
    let made = AuricleMakeSharedMemory(size)
    guard made >= 0 else { throw systemError(errno, "make", "shared memory") }
    unsafe (memory, link) = try Self.map(made, size, form)
    (descriptor, self.size, self.form) = (made, size, form)
  }

  /// Maps the memory that the other process made. The unit's side.
  ///
  /// - Parameter received: The open memory, which this object closes, also where it throws.
  /// - Throws: `.software` for memory that the other process could make shorter, or of another form.
  ///
  /// Context: control.
  package init(received: Int32, _ form: AuricleLinkForm) throws(AuricleError) {
    let size = AuricleLinkSize(form)
    guard AuricleLinkFormIsValid(form, size), AuricleLinkMemoryIsSealed(received, size) else {
      if received >= 0 { close(received) }
      throw AuricleError(.software, "the memory of a connection is not sealed, or has another form")
    }
    unsafe (memory, link) = try Self.map(received, size, form)
    (descriptor, self.size, self.form) = (received, size, form)
  }

  /// Maps memory and makes a side over it; closes the descriptor where it throws.
  private static func map(
    _ descriptor: Int32, _ size: Int, _ form: AuricleLinkForm
  ) throws(AuricleError) -> (UnsafeMutableRawPointer, OpaquePointer) {
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      let number = errno
      close(descriptor)
      throw systemError(number, "map", "shared memory")
    }
    guard let link = unsafe AuricleLinkMake(memory, form) else {
      unsafe munmap(memory, size)
      close(descriptor)
      throw systemError(ENOMEM, "make", "memory for a connection")
    }
    return unsafe (memory, link)
  }

  deinit {
    unsafe AuricleLinkFree(link)
    unsafe munmap(memory, size)
    close(descriptor)
  }

  /// Ends all waiting of this side, now and later. Context: any.
  package func abandon() { unsafe AuricleLinkAbandon(link) }

  /// The figures of the host's side. Context: any.
  package var figures: AuricleLinkFigures { unsafe AuricleLinkReadFigures(link) }
}
