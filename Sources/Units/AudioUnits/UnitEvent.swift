// Something that happens to a parameter or a property of a unit.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A change of a parameter's value, the begin or end of a gesture on its control, a change of a
/// property.
///
/// The corresponding Core Audio type is `AudioUnitEvent`.
@safe public struct UnitEvent: Hashable, Sendable {
  /// The kind of an event.
  public enum Kind: UInt32, Sendable {
    /// A parameter has a new value. `kAudioUnitEvent_ParameterValueChange`.
    case valueChange = 0
    /// A person begins to change a parameter. `kAudioUnitEvent_BeginParameterChangeGesture`.
    case beginGesture = 1
    /// A person is done with a parameter. `kAudioUnitEvent_EndParameterChangeGesture`.
    case endGesture = 2
    /// A property has a new value. `kAudioUnitEvent_PropertyChange`.
    case propertyChange = 3
  }

  /// The kind.
  public var kind: Kind
  /// Address of the unit's handle.
  let unitAddress: UInt
  /// The parameter, or the property; `anyParameter` means all parameters of the unit.
  public var id: UInt32
  /// The scope it is in.
  public var scope: AudioUnitScope
  /// The element it is in.
  public var element: AudioUnitElement

  /// The id that means all parameters of a unit, in notices for listeners.
  ///
  /// The corresponding Core Audio constant is `kAUParameterListener_AnyParameter`.
  public static let anyParameter: AudioUnitParameterID = 0xffff_ffff

  /// Names an event of a unit by its handle.
  public init(
    _ kind: Kind, of unit: UnsafeMutablePointer<ComponentInstanceRecord>, id: UInt32,
    scope: AudioUnitScope = kAudioUnitScope_Global, element: AudioUnitElement = 0
  ) {
    self.kind = kind
    unitAddress = UInt(bitPattern: unit)
    self.id = id
    self.scope = scope
    self.element = element
  }

  /// Reads a C event; nil for one of an unknown type or of no unit.
  public init?(_ event: AudioUnitEvent) {
    guard let kind = unsafe Kind(rawValue: event.mEventType) else { return nil }
    if kind == .propertyChange {
      let property = unsafe event.mArgument.mProperty
      guard let unit = unsafe property.mAudioUnit,
        unsafe unit.pointee.magic == kAuricleInstanceMagic
      else { return nil }
      unsafe self.init(
        kind, of: unit, id: property.mPropertyID, scope: property.mScope,
        element: property.mElement)
    } else {
      unsafe self.init(kind, event.mArgument.mParameter)
    }
  }

  /// An event of a parameter; nil for one of no unit.
  public init?(_ kind: Kind, _ parameter: AudioUnitParameter) {
    guard let unit = unsafe parameter.mAudioUnit, unsafe unit.pointee.magic == kAuricleInstanceMagic
    else { return nil }
    unsafe self.init(
      kind, of: unit, id: parameter.mParameterID, scope: parameter.mScope,
      element: parameter.mElement)
  }

  /// The unit's handle.
  public var unit: UnsafeMutablePointer<ComponentInstanceRecord>? {
    unsafe UnsafeMutablePointer(bitPattern: unitAddress)
  }

  /// The event as C has it.
  public var cEvent: AudioUnitEvent {
    var event = unsafe AudioUnitEvent()
    unsafe event.mEventType = kind.rawValue
    if kind == .propertyChange {
      unsafe event.mArgument.mProperty = AudioUnitProperty(
        mAudioUnit: unit, mPropertyID: id, mScope: scope, mElement: element)
    } else {
      unsafe event.mArgument.mParameter = cParameter
    }
    return unsafe event
  }

  /// The parameter as C has it.
  public var cParameter: AudioUnitParameter {
    unsafe AudioUnitParameter(
      mAudioUnit: unit, mParameterID: id, mScope: scope, mElement: element)
  }

  /// The value of the parameter now; 0 where the unit has none, and for other kinds of event.
  var currentValue: Float {
    guard kind == .valueChange, let unit = unsafe unit,
      let method = unsafe unit.pointee.getParameter, let plugIn = unsafe unit.pointee.plugIn
    else { return 0 }
    var value: Float = 0
    return unsafe method(plugIn, id, scope, element, &value) == 0 ? value : 0
  }

  /// Whether a listener of this event is notified of another.
  func matches(_ event: UnitEvent) -> Bool {
    if self == event { return true }
    return event.id == Self.anyParameter && kind == event.kind && kind != .propertyChange
      && unitAddress == event.unitAddress
  }
}
