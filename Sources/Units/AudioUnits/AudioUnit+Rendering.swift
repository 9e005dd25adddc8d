// Where a unit's input comes from, and rendering.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

extension AudioUnit {
  /// Makes a unit pull an input bus from a function; removes a connection of that bus.
  ///
  /// - Parameters:
  ///   - element: Index of the input bus.
  ///   - callback: Called on the render thread; nil removes the present one.
  ///   - refCon: The callback's first argument; must stay valid as long as it is set.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_SetRenderCallback`.
  public func setInputCallback(
    element: AudioUnitElement = 0, _ callback: AURenderCallback?, refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    let value = unsafe AURenderCallbackStruct(inputProc: callback, inputProcRefCon: refCon)
    unsafe try setProperty(
      kAudioUnitProperty_SetRenderCallback, scope: kAudioUnitScope_Input, element: element, value)
    inputSources[element] = nil
  }

  /// Makes a unit pull an input bus from an output bus of another, which is kept alive.
  ///
  /// The formats of the two buses must agree; the unit checks it. Removes a callback of that bus.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_MakeConnection`.
  public func connectInput(
    element: AudioUnitElement = 0, to source: AudioUnit, outputElement: AudioUnitElement = 0
  ) throws(AuricleError) {
    guard source !== self else {
      throw failure(
        AudioStatus(rawValue: kAUGraphErr_InvalidConnection),
        "input \(element) cannot be connected to the unit itself")
    }
    let connection = unsafe AudioUnitConnection(
      sourceAudioUnit: source.instance, sourceOutputNumber: outputElement, destInputNumber: element)
    do throws(AuricleError) {
      unsafe try setProperty(
        kAudioUnitProperty_MakeConnection, scope: kAudioUnitScope_Input, element: element,
        connection)
    } catch {
      throw failure(
        AudioStatus(rawValue: error.status),
        "input \(element) cannot be connected to output \(outputElement) of \(source.name)")
    }
    inputSources[element] = source
  }

  /// Removes the connection of an input bus; does nothing if there is none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_MakeConnection`.
  public func disconnectInput(element: AudioUnitElement = 0) throws(AuricleError) {
    guard inputSources[element] != nil else { return }
    let connection = unsafe AudioUnitConnection(
      sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: element)
    unsafe try setProperty(
      kAudioUnitProperty_MakeConnection, scope: kAudioUnitScope_Input, element: element, connection)
    inputSources[element] = nil
  }

  /// The unit that feeds an input bus; nil if none is connected.
  ///
  /// Context: control.
  public func inputSource(element: AudioUnitElement = 0) -> AudioUnit? {
    inputSources[element]
  }

  /// Whether the unit renders from memory that an input callback lends, rather than from the memory
  /// that it offered the callback. Units that render for hosts with the input do.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_DirectRender`.
  public var readsMemoryOfSources: Bool {
    unsafe (try? property(kAuricleProperty_DirectRender, initial: AuricleDirectRender())) != nil
  }

  /// Renders one slice of an output bus: `RenderProcedure.render` of this unit.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitRender`.
  @_noLocks
  public func render(
    flags: inout AudioUnitRenderActionFlags, timeStamp: UnsafePointer<AudioTimeStamp>,
    outputElement: UInt32 = 0, frameCount: UInt32, buffers: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    unsafe renderProcedure.render(
      &flags, timeStamp, outputElement: outputElement, frameCount: frameCount, buffers: buffers)
  }

  /// Calls `callback` before and after each render.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitAddRenderNotify`.
  public func addRenderNotification(
    _ callback: AURenderCallback, refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    let status =
      unsafe methods.addRenderNotify.map { unsafe $0(plugIn, callback, refCon) } ?? missing
    try check(status, "cannot add a render notification")
  }

  /// Undoes `addRenderNotification` with the same arguments.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitRemoveRenderNotify`.
  public func removeRenderNotification(
    _ callback: AURenderCallback, refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    let status =
      unsafe methods.removeRenderNotify.map { unsafe $0(plugIn, callback, refCon) } ?? missing
    try check(status, "cannot remove a render notification")
  }
}
