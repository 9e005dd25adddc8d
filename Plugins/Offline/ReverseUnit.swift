// The reverser: the whole input from its end to its start.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Pulls from its source the frames as far from the end as the output is from its start. It needs the
/// length of the input; without that it is silent.
struct ReverseUnit: OfflineUnit, ~Copyable {
  static let component = Component(
    "Auricle: Reverse", subtype: "revs", manufacturer: "Auri",
    summary: "Plays a whole sound from its end to its start.", tags: ["Offline"])
  static let preflight = OfflinePreflight.notRequired
  static let processesInPlace = false
  static let pullsInputs = true

  init(_ setup: UnitSetup<Self>) {}

  @_noLocks mutating func reset() {}

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let position = Int(clamping: slice.passPosition), whole = Int(clamping: slice.wholeInputFrames)
    let count = min(slice.frameCount, max(0, whole - position))
    slice.clearOutput()
    guard count > 0, !slice.isPreflight else { return }
    let status = slice.pullInput(
      bus: 0, sampleTime: Double(whole - position - count), frameCount: count)
    if status != 0 { return slice.fail(status) }
    for channel in 0..<slice.channelCount {
      let source = slice.pulled(channel, count: count)
      var target = slice.output(channel)
      for frame in 0..<count { target[frame] = source[count - 1 - frame] }
    }
  }
}

/// Makes one reverser; the factory function of the component. Context: control.
@c(AuricleReverseFactory)
public func reverseFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(ReverseUnit.self, request) { unsafe render(ReverseUnit.self, $0, $1) }
}
