// Which streams a procedure wants: kAudioDevicePropertyIOProcStreamUsage.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import HardwareObjects
import Synchronization

extension IORegistrations {
  private static let headSize = 12

  /// Reads which streams of a side a procedure wants; the caller has put the procedure in.
  func readStreamUsage(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ ioSize: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer
  ) throws(HardwareError) {
    guard unsafe Int(ioSize.pointee) >= Self.headSize + 4 else { throw .badSize }
    let number = unsafe data.loadUnaligned(as: UInt.self)
    let found = try registration(id, number)
    let isInput = address.mScope == kAudioObjectPropertyScopeInput
    let isOn = found.sides.contains(isInput ? .input : .output)
    unsafe data.storeBytes(of: UInt32(1), toByteOffset: 8, as: UInt32.self)
    unsafe data.storeBytes(of: isOn ? 1 : 0, toByteOffset: Self.headSize, as: UInt32.self)
    unsafe ioSize.pointee = UInt32(Self.headSize + 4)
  }

  /// Chooses the streams of a side, from the next start on.
  func setStreamUsage(
    _ id: AudioObjectID, isInput: Bool, _ size: UInt32, _ data: UnsafeRawPointer?
  ) throws(HardwareError) {
    guard let data = unsafe data, Int(size) >= Self.headSize + 4 else { throw .badSize }
    let found = try registration(id, unsafe data.loadUnaligned(as: UInt.self))
    let isOn = unsafe data.loadUnaligned(fromByteOffset: Self.headSize, as: UInt32.self) != 0
    if isInput {
      found.wantsInput.store(isOn, ordering: .relaxed)
    } else {
      found.wantsOutput.store(isOn, ordering: .relaxed)
    }
  }
}
