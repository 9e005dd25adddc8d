// Slices that are recalled before they play.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

extension SliceQueue {
  /// Wants the slices of a mark back; the next render ends them, unless one of them is being played. Context: control.
  func askBack(_ mark: UInt32) { recalled.store(mark, ordering: .releasing) }

  /// Whether nothing is wanted back, or all is that could be. Context: control.
  var isRecallSettled: Bool { recalled.load(ordering: .acquiring) == 0 }

  /// Ends the slices that are wanted back without waiting for a render. Context: control, an offline render.
  mutating func withdrawNow() {
    hold()
    collectArrived()
    withdraw()
    letGo()
  }

  /// Ends the slices that are wanted back.
  @_noLocks mutating func withdraw() {
    let mark = recalled.load(ordering: .acquiring)
    guard mark != 0 else { return }
    if unsafe current?.pointee.mReserved != mark {
      var kept: SlicePointer?
      var slice = unsafe first
      while let waiting = unsafe slice {
        let after = unsafe next(waiting)
        unsafe slice = unsafe after
        guard unsafe waiting.pointee.mReserved == mark else {
          unsafe kept = unsafe waiting
          continue
        }
        if let kept = unsafe kept { unsafe link(kept, after) } else { unsafe first = unsafe after }
        unsafe link(waiting, nil)
        unsafe finish(waiting)
      }
    }
    recalled.store(0, ordering: .releasing)
  }
}
