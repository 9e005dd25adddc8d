// Making and ending aggregate devices, and the plug-in that older programs ask for that.
// SPDX-License-Identifier: Apache-2.0

package import AudioHardware
package import CAudioToolbox

extension HardwareSystem {
  /// The object of the plug-in that makes aggregate devices.
  static let plugIn: AudioObjectID = 2
  private static let plugInName = "com.apple.audio.CoreAudio"

  /// Makes an aggregate device, which this process alone sees.
  ///
  /// - Throws: `kAudioHardwareIllegalOperationError` where there is a device of that UID.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioHardwareCreateAggregateDevice`.
  package func createAggregate(
    _ description: AggregateDescription
  ) throws(HardwareError) -> AudioObjectID {
    guard !description.uid.isEmpty, device(named: description.uid) == nil else { throw .illegal }
    let listing = DeviceListing(
      name: description.uid, title: description.name, hasOutput: false, hasInput: false,
      kind: HardwareDevice.aggregateKind)
    let made = add(listing)
    made.compose(description)
    devicesChanged()
    return made.id
  }

  /// The aggregate of a device that plays, which is the clock, and one that records; made when it is first asked for.
  ///
  /// Context: control.
  package func pair(output: HardwareDevice, input: HardwareDevice) -> HardwareDevice? {
    var description = AggregateDescription.pair(output: output.uid, input: input.uid)
    description.uid = "pair:\(output.uid):\(input.uid)"
    description.isPrivate = true
    if let known = device(named: description.uid) { return known }
    return (try? createAggregate(description)).flatMap { device($0) }
  }

  /// Ends an aggregate device, which stops first.
  ///
  /// - Throws: `kAudioHardwareBadDeviceError` for one that is none.
  ///
  /// Context: control, outside of clients. The corresponding Core Audio function is
  /// `AudioHardwareDestroyAggregateDevice`.
  package func destroyAggregate(_ id: AudioObjectID) throws(HardwareError) {
    guard let device = device(id), device.isAlive, device.composition != nil else {
      throw .badDevice
    }
    device.stopAll()
    device.die()
    devicesChanged()
  }

  /// The aggregate that a part belongs to, and which of its parts it is; nil for none.
  func part(_ id: AudioObjectID) -> (device: HardwareDevice, index: Int)? {
    for device in devices() where device.composition != nil {
      if let index = device.partObjects.firstIndex(of: id) { return (device, index) }
    }
    return nil
  }

  /// The number of the plug-in of a name; 0 for none.
  func plugIn(named name: String?) -> AudioObjectID {
    name == Self.plugInName ? Self.plugIn : AudioObjectID(kAudioObjectUnknown)
  }

  /// The value of a property of the plug-in.
  func plugInProperty(
    _ selector: UInt32, _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue {
    switch selector {
    case kAudioObjectPropertyBaseClass: return .value(kAudioObjectClassID)
    case kAudioObjectPropertyClass: return .value(kAudioPlugInClassID)
    case kAudioObjectPropertyOwner: return .value(UInt32(kAudioObjectSystemObject))
    case kAudioObjectPropertyName, kAudioPlugInPropertyBundleID: return .text(Self.plugInName)
    case kAudioPlugInPropertyDeviceList, kAudioObjectPropertyOwnedObjects:
      return .values(devices().filter { $0.composition != nil }.map(\.id))
    case kAudioPlugInCreateAggregateDevice:
      let address = PropertyValue.bytes(qualifier.bytes).loaded(as: UInt.self) ?? 0
      guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { throw .badSize }
      guard let description = unsafe AggregateDescription(dictionary: object) else {
        throw .illegal
      }
      return .value(try createAggregate(description))
    case kAudioPlugInDestroyAggregateDevice: return .value(UInt32(0))
    default: throw .unknownProperty
    }
  }
}
