// Parameters of units of version 3: trees, observers, values.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// The token that an observer is removed by.
public typealias AUParameterObserverToken = UnsafeMutableRawPointer
/// A function that is called when a parameter has changed.
public typealias AUParameterObserver = (AUParameterAddress, AUValue) -> Void
/// A function that is called with the events of parameters that were moved.
public typealias AUParameterAutomationObserver = (Int, UnsafePointer<AUParameterAutomationEvent>) ->
  Void
/// A function that is called with recorded events of parameters.
public typealias AUParameterRecordingObserver = (Int, UnsafePointer<AURecordedParameterEvent>) ->
  Void
/// A unit's function that receives a parameter's new value.
public typealias AUImplementorValueObserver = (AUParameter, AUValue) -> Void
/// A unit's function that returns a parameter's value.
public typealias AUImplementorValueProvider = (AUParameter) -> AUValue
/// A unit's function that writes a value as text.
public typealias AUImplementorStringFromValueCallback = (AUParameter, UnsafePointer<AUValue>?) ->
  String
/// A unit's function that reads a value from text.
public typealias AUImplementorValueFromStringCallback = (AUParameter, String) -> AUValue
/// A unit's function that shortens the name of a group or parameter.
public typealias AUImplementorDisplayNameWithLengthCallback = (AUParameterNode, Int) -> String

/// The observers of a node, and the queue that calls them.
private final class ObserverList: @unchecked Sendable {
  struct Entry {
    let call: (AUParameterAutomationEvent) -> Void
  }
  static let queue = DispatchQueue(label: "org.auricle.parameter-observers")
  private let lock = NSLock()
  private var entries: [UnsafeMutableRawPointer: Entry] = [:]

  func add(_ call: @escaping (AUParameterAutomationEvent) -> Void) -> UnsafeMutableRawPointer {
    let token = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    lock.withLock { entries[token] = Entry(call: call) }
    return token
  }
  func remove(_ token: UnsafeMutableRawPointer) {
    if lock.withLock({ entries.removeValue(forKey: token) }) != nil { token.deallocate() }
  }
  var isEmpty: Bool { lock.withLock { entries.isEmpty } }
  func call(_ event: AUParameterAutomationEvent, except originator: UnsafeMutableRawPointer?) {
    for (token, entry) in lock.withLock({ entries }) where token != originator {
      if lock.withLock({ entries[token] }) != nil { entry.call(event) }
    }
  }
  deinit { for token in entries.keys { token.deallocate() } }
}

/// A node of a tree of parameters.
open class AUParameterNode: NSObject, @unchecked Sendable {
  /// The name in key paths.
  public let identifier: String
  /// The name for people.
  public let displayName: String
  fileprivate(set) weak var parent: AUParameterGroup?
  private let observers = ObserverList()

  init(identifier: String, name: String) {
    self.identifier = identifier
    displayName = name
  }

  /// The identifiers on the way to the node, with points between.
  public var keyPath: String {
    guard let parent, !(parent is AUParameterTree) else { return identifier }
    return parent.keyPath + "." + identifier
  }
  /// The name in at most so many characters.
  open func displayName(withLength maximumLength: Int) -> String {
    implementorDisplayNameWithLengthCallback?(self, maximumLength)
      ?? String(displayName.prefix(maximumLength))
  }

  /// Called at once with every new value; of a node without it, the parent's.
  open var implementorValueObserver: AUImplementorValueObserver?
  /// Asked for the values; of a node without it, the parent's.
  open var implementorValueProvider: AUImplementorValueProvider?
  /// Writes values as text; of a node without it, the parent's.
  open var implementorStringFromValueCallback: AUImplementorStringFromValueCallback?
  /// Reads values from text; of a node without it, the parent's.
  open var implementorValueFromStringCallback: AUImplementorValueFromStringCallback?
  /// Shortens names.
  open var implementorDisplayNameWithLengthCallback: AUImplementorDisplayNameWithLengthCallback?

  func inherited<Function>(_ path: KeyPath<AUParameterNode, Function?>) -> Function? {
    self[keyPath: path] ?? parent?.inherited(path)
  }

  /// Adds an observer, which is called on a queue of the library.
  open func token(byAddingParameterObserver observer: @escaping AUParameterObserver)
    -> AUParameterObserverToken
  {
    observers.add { observer($0.address, $0.value) }
  }
  /// Adds an observer of events, which is called on a queue of the library.
  open func token(
    byAddingParameterAutomationObserver observer: @escaping AUParameterAutomationObserver
  ) -> AUParameterObserverToken {
    observers.add { event in withUnsafePointer(to: event) { observer(1, $0) } }
  }
  /// Adds an observer of events, which is called on a queue of the library.
  open func token(
    byAddingParameterRecordingObserver observer: @escaping AUParameterRecordingObserver
  ) -> AUParameterObserverToken {
    observers.add { event in
      let recorded = AURecordedParameterEvent(
        hostTime: event.hostTime, address: event.address, value: event.value)
      withUnsafePointer(to: recorded) { observer(1, $0) }
    }
  }
  /// Removes an observer; it may be called once more on another thread.
  open func removeParameterObserver(_ token: AUParameterObserverToken) { observers.remove(token) }

  fileprivate func notify(
    _ event: AUParameterAutomationEvent, except originator: AUParameterObserverToken?
  ) {
    if !observers.isEmpty {
      nonisolated(unsafe) let originator = originator
      let observers = observers
      ObserverList.queue.async { observers.call(event, except: originator) }
    }
    parent?.notify(event, except: originator)
  }
}

/// A group of parameters and groups.
open class AUParameterGroup: AUParameterNode, @unchecked Sendable {
  /// The nodes of the group.
  public let children: [AUParameterNode]
  init(identifier: String, name: String, children: [AUParameterNode]) {
    self.children = children
    super.init(identifier: identifier, name: name)
    var identifiers = Set<String>()
    for child in children {
      auricleRequire(
        identifiers.insert(child.identifier).inserted,
        "duplicate identifier '\(child.identifier)' in a parameter group")
      child.parent = self
    }
  }
  /// All parameters of the group and of its groups, in order.
  public var allParameters: [AUParameter] {
    children.flatMap {
      ($0 as? AUParameterGroup)?.allParameters ?? ($0 as? AUParameter).map { [$0] } ?? []
    }
  }
}

/// A tree of the parameters of a unit.
open class AUParameterTree: AUParameterGroup, @unchecked Sendable {
  private let byAddress: [AUParameterAddress: AUParameter]

  init(children: [AUParameterNode]) {
    var table: [AUParameterAddress: AUParameter] = [:]
    for child in children {
      for parameter in (child as? AUParameterGroup)?.allParameters ?? (child as? AUParameter).map({
        [$0]
      }) ?? [] {
        auricleRequire(
          table.updateValue(parameter, forKey: parameter.address) == nil,
          "duplicate parameter address \(parameter.address)")
      }
    }
    byAddress = table
    super.init(identifier: "", name: "", children: children)
  }

  /// A parameter by its address.
  open func parameter(withAddress address: AUParameterAddress) -> AUParameter? {
    byAddress[address]
  }
  /// A parameter by an address in a scope and element, as those of units of version 2 are numbered here.
  open func parameter(
    withID parameterID: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement
  ) -> AUParameter? {
    byAddress[AUParameterAddress.auricle(parameterID, scope, element)]
  }
  /// A parameter or group by its key path.
  open func value(forKey key: String) -> Any? { value(forKeyPath: key) }
  /// A parameter or group by its key path.
  open func value(forKeyPath path: String) -> Any? {
    var nodes = children
    var found: AUParameterNode?
    for part in path.split(separator: ".") {
      found = nodes.first { $0.identifier == part }
      nodes = (found as? AUParameterGroup)?.children ?? []
    }
    return found
  }

  /// A parameter.
  open class func createParameter(
    withIdentifier identifier: String, name: String, address: AUParameterAddress, min: AUValue,
    max: AUValue,
    unit: AudioUnitParameterUnit, unitName: String?, flags: AudioUnitParameterOptions = [],
    valueStrings: [String]?,
    dependentParameters: [NSNumber]?
  ) -> AUParameter {
    AUParameter(
      identifier: identifier, name: name, address: address, min: min, max: max, unit: unit,
      unitName: unitName,
      flags: flags, valueStrings: valueStrings, dependentParameters: dependentParameters)
  }
  /// A group.
  open class func createGroup(
    withIdentifier identifier: String, name: String, children: [AUParameterNode]
  ) -> AUParameterGroup {
    AUParameterGroup(identifier: identifier, name: name, children: children)
  }
  /// A group that is a template for others.
  open class func createGroupTemplate(_ children: [AUParameterNode]) -> AUParameterGroup {
    AUParameterGroup(identifier: "", name: "", children: children)
  }
  /// A group as a template has it, its addresses moved by an offset.
  open class func createGroup(
    fromTemplate template: AUParameterGroup, identifier: String, name: String,
    addressOffset: AUParameterAddress
  ) -> AUParameterGroup {
    createGroup(
      withIdentifier: identifier, name: name,
      children: template.children.map { child in
        if let group = child as? AUParameterGroup {
          return createGroup(
            fromTemplate: group, identifier: group.identifier, name: group.displayName,
            addressOffset: addressOffset)
        }
        return (child as? AUParameter)?.copy(addressOffset: addressOffset) ?? child
      })
  }
  /// A tree.
  open class func createTree(withChildren children: [AUParameterNode]) -> AUParameterTree {
    AUParameterTree(children: children)
  }
}

/// A parameter.
open class AUParameter: AUParameterNode, @unchecked Sendable {
  /// The number in the tree.
  public let address: AUParameterAddress
  /// The least value.
  public let minValue: AUValue
  /// The greatest value.
  public let maxValue: AUValue
  /// The unit of the value.
  public let unit: AudioUnitParameterUnit
  /// The name of a unit that has no number.
  public let unitName: String?
  /// The possible uses of the value.
  public let flags: AudioUnitParameterOptions
  /// The texts of values that are choices.
  public let valueStrings: [String]?
  /// The addresses of parameters that change with this one.
  public let dependentParameters: [NSNumber]?
  private let bits = Atomic<UInt32>(0)

  init(
    identifier: String, name: String, address: AUParameterAddress, min: AUValue, max: AUValue,
    unit: AudioUnitParameterUnit, unitName: String?, flags: AudioUnitParameterOptions,
    valueStrings: [String]?,
    dependentParameters: [NSNumber]?
  ) {
    self.address = address
    minValue = min
    maxValue = max
    self.unit = unit
    self.unitName = unitName
    self.flags = flags
    self.valueStrings = valueStrings
    self.dependentParameters = dependentParameters
    super.init(identifier: identifier, name: name)
  }
  func copy(addressOffset: AUParameterAddress) -> AUParameter {
    AUParameter(
      identifier: identifier, name: displayName, address: address + addressOffset, min: minValue,
      max: maxValue,
      unit: unit, unitName: unitName, flags: flags, valueStrings: valueStrings,
      dependentParameters: dependentParameters)
  }

  /// The value as the unit has it.
  open var value: AUValue {
    get {
      inherited(\.implementorValueProvider)?(self)
        ?? AUValue(bitPattern: bits.load(ordering: .relaxed))
    }
    set { setValue(newValue, originator: nil) }
  }
  /// Sets the value; the originator's observer is not called.
  open func setValue(_ value: AUValue, originator: AUParameterObserverToken?) {
    setValue(value, originator: originator, atHostTime: 0, eventType: .value)
  }
  /// Sets the value at a time, for recorders of automation.
  open func setValue(
    _ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64
  ) {
    setValue(value, originator: originator, atHostTime: hostTime, eventType: .value)
  }
  /// Sets the value at a time, with the kind of the control's event.
  open func setValue(
    _ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64,
    eventType: AUParameterAutomationEventType
  ) {
    store(value)
    inherited(\.implementorValueObserver)?(self, value)
    notify(
      AUParameterAutomationEvent(
        hostTime: hostTime == 0 ? mach_absolute_time() : hostTime, address: address, value: value,
        eventType: eventType,
        reserved: 0),
      except: originator)
  }
  func store(_ value: AUValue) { bits.store(value.bitPattern, ordering: .relaxed) }

  /// A value as text; without one, the present value.
  open func string(fromValue value: UnsafePointer<AUValue>?) -> String {
    if let text = inherited(\.implementorStringFromValueCallback)?(self, value) { return text }
    let number = value?.pointee ?? self.value
    if let valueStrings, let index = Int(exactly: number.rounded()),
      valueStrings.indices.contains(index)
    {
      return valueStrings[index]
    }
    return String(format: "%.3f", Double(number))
  }
  /// The value of a text.
  open func value(from string: String) -> AUValue {
    if let value = inherited(\.implementorValueFromStringCallback)?(self, string) { return value }
    if let index = valueStrings?.firstIndex(of: string) { return AUValue(index) }
    return AUValue(string) ?? 0
  }
}

extension AUParameterAddress {
  /// The address of a parameter of version 2: its number; of other scopes and elements, these above it.
  package static func auricle(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> AUParameterAddress {
    UInt64(scope) << 56 | UInt64(element) << 32 | UInt64(id)
  }
}
