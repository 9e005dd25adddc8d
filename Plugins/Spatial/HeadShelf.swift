// The measured head of one instance, put in place while the render thread runs.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

/// The render thread's view of the shelf. Context: render.
@safe struct HeadSlot: BitwiseCopyable {
  fileprivate let cell: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<MeasuredBank>?>>

  /// The measured sources; nil until the shelf has them. They are there until the kernel is freed.
  var bank: UnsafeMutablePointer<MeasuredBank>? {
    @_noLocks get { unsafe cell.pointee.load(ordering: .acquiring) }
  }
}

/// Makes the sources of a measured head for a kernel, at once or when a host first asks for them.
///
/// @unchecked Sendable because all but the slot is used under the lock of the instance.
final class HeadShelf: @unchecked Sendable {
  /// A kernel's view of it; lives as long as the shelf.
  let slot: HeadSlot
  private var size: (sourceCount: Int, sampleRate: Double)?

  /// Makes an empty shelf. Context: control.
  init() {
    let cell = UnsafeMutablePointer<Atomic<UnsafeMutablePointer<MeasuredBank>?>>.allocate(
      capacity: 1)
    unsafe cell.initialize(to: Atomic(nil))
    slot = unsafe HeadSlot(cell: cell)
  }

  deinit {
    clear()
    unsafe slot.cell.deinitialize(count: 1)
    unsafe slot.cell.deallocate()
  }

  /// Adds the sources of a new kernel. Context: control.
  ///
  /// - Parameter isNeeded: Whether a measured head is in use from the start.
  func open(sourceCount: Int, sampleRate: Double, isNeeded: Bool) throws(UnitRefusal) {
    clear()
    size = (sourceCount, sampleRate)
    if isNeeded { try unsafe place()?.pointee.reset() }
  }

  /// Puts a measured head in its place, if there is a kernel for it, whose sources it fades in.
  ///
  /// - Throws: A sentence where it is not installed; also where there is no kernel.
  ///
  /// Context: control.
  func fill() throws(UnitRefusal) { _ = try unsafe place() }

  private func place() throws(UnitRefusal) -> UnsafeMutablePointer<MeasuredBank>? {
    let head = try HeadMeasurements.table(sampleRate: size?.sampleRate ?? 44_100)
    guard let size, unsafe slot.bank == nil else { return unsafe slot.bank }
    let bank = UnsafeMutablePointer<MeasuredBank>.allocate(capacity: 1)
    unsafe bank.initialize(
      to: MeasuredBank(sourceCount: size.sourceCount, head, sampleRate: size.sampleRate))
    unsafe slot.cell.pointee.store(bank, ordering: .releasing)
    return unsafe bank
  }

  /// Frees the sources; the kernel is gone. Context: control.
  func clear() {
    size = nil
    guard let bank = unsafe slot.bank else { return }
    unsafe slot.cell.pointee.store(nil, ordering: .releasing)
    unsafe bank.pointee.deallocate()
    unsafe bank.deallocate()
  }
}
