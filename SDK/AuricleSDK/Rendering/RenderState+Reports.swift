// A render's reports to its host besides sound: errors, a new latency, input samples.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// An immutable list of the listeners to properties that change while rendering.
@safe struct ChangeListenerList {
  var count: Int
  var entries: UnsafeMutablePointer<PropertyListener>
  /// The handle of the unit for its listeners.
  var handle: AudioUnitHandle?
}

extension RenderState {
  /// Returns whether a property is one that rendering itself changes.
  static func changesWhileRendering(_ property: AudioUnitPropertyID) -> Bool {
    [
      kAudioUnitProperty_LastRenderError, kAudioUnitProperty_Latency, kAudioUnitProperty_ClassInfo,
    ].contains(property)
  }

  /// Records an error for `kAudioUnitProperty_LastRenderError` and returns it.
  ///
  /// Listeners are notified of the first one after the host has read the property.
  @_noLocks func fail(_ status: OSStatus) -> OSStatus {
    let before = lastError.exchange(status, ordering: .relaxed)
    if before == 0, status != 0 { notifyListeners(of: kAudioUnitProperty_LastRenderError) }
    return status
  }

  /// Stores the latency that the kernel reports; listeners are notified of a new one.
  @_noLocks mutating func reportLatency(_ frames: Int) {
    guard frames >= 0 else { return }
    dryPath.setLatency(frames)
    guard frames != reportedLatency else { return }
    reportedLatency = frames
    notifyListeners(of: kAudioUnitProperty_Latency)
  }

  /// Notifies the listeners of a state that the unit changed by itself.
  @_noLocks func reportStateChange() { notifyListeners(of: kAudioUnitProperty_ClassInfo) }

  /// Notifies the listeners of a property of the unit, on the render thread.
  @_noLocks private func notifyListeners(of property: AudioUnitPropertyID) {
    guard let list = unsafe changeListeners.load(ordering: .acquiring),
      let handle = unsafe list.pointee.handle
    else { return }
    for index in 0..<(unsafe list.pointee.count) {
      let entry = unsafe list.pointee.entries[index]
      guard entry.property == property else { continue }
      // Door out of checked code: the host's listener.
      unsafe _unsafePerformance {
        unsafe entry.procedure(entry.userData, handle, property, kAudioUnitScope_Global, 0)
      }
    }
    // A refused render has no guard to renew.
    if isRendering { denormals.renew() }
  }

  /// Reports the input samples behind the output of a cycle, if the host requested it.
  @_noLocks func reportInputSamples(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) {
    guard let wanted = unsafe samplesCallback.load(ordering: .acquiring),
      let procedure = unsafe wanted.pointee.inputToOutputCallback
    else { return }
    let userData = unsafe wanted.pointee.userData
    let first = unsafe (timeStamp.pointee.mSampleTime - Double(reportedLatency)) * inputRatio
    let count = Double(frameCount) * inputRatio
    // Door out of checked code: the host's callback.
    unsafe _unsafePerformance { unsafe procedure(userData, timeStamp, first, count) }
    denormals.renew()
  }
}
