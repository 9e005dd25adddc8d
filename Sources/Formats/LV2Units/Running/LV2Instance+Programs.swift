// Programs of a running instance.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport

extension LV2Instance {
  private var programInterface: LV2ProgramInterface? {
    unsafe LV2ProgramInterface(render.pointee.descriptor, render.pointee.handle)
  }

  /// The plug-in's programs. Context: control.
  var programs: [LV2Program] { programInterface?.all ?? [] }

  /// Selects a program. Context: control, while nothing runs the instance.
  func select(_ program: LV2Program) {
    guard let interface = programInterface else { return }
    interface.select(program)
    PlugInLifeCycle.perform { () -> Void in unsafe LV2WorkQueue.drain(features.workQueue) }
  }

  /// Current value of a control port, which a program may have changed.
  func controlValue(place: Int) -> Float { unsafe render.pointee.controls[place] }
}
