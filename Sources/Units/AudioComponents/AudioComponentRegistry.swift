// All components of a process: found once, in an order that stays.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox
internal import Synchronization

/// The components that the sources find, and those registered since.
///
/// A source is asked when a search finds nothing in those before it: opening a unit that ships reads no other formats.
///
/// Order: the sources in their order, each in its own, then registered components. The first component of
/// an identity (type, subtype, manufacturer) stays; a later one is kept out.
/// Components never go away, so their handles stay valid as long as the registry.
public final class AudioComponentRegistry: Sendable {
  private struct State {
    var components: [AudioComponent] = []
    var problems: [ComponentProblem] = []
    /// Components kept out because of another's identity.
    var leftOut: [AudioComponent] = []
    var indices = IdentityIndex()
    /// Sources that were not asked yet, the next one last.
    var waiting: [any AudioComponentSource]
    let blocklist: ComponentBlocklist

    /// Asks the next source for its components; false when all were asked.
    mutating func askNext() -> Bool {
      guard let source = waiting.popLast() else { return false }
      let discovery = source.discover()
      problems += discovery.problems
      for var component in discovery.components {
        if let entry = blocklist.entry(for: component) {
          let name = component.location.identifier ?? component.triple
          component = component.blocked(
            because:
              "is blocked: it \(entry.reason). \"auricle scan --unblock \(name)\" lets it be "
              + "used all the same; a new version of it is tried again by itself.")
        }
        if let problem = AudioComponentRegistry.add(component, to: &self) {
          problems.append(problem)
        }
      }
      return true
    }

    /// Asks all sources that were not asked yet.
    mutating func askAll() { while askNext() {} }
  }

  private let state: Mutex<State>

  /// Makes a registry of the sources' components, in order.
  ///
  /// - Parameters:
  ///   - sources: Where components come from.
  ///   - blocklist: Components that are listed but refuse to be opened.
  ///
  /// Context: control. A search lasts as long as the sources that it has to ask.
  public init(
    sources: [any AudioComponentSource], blocklist: ComponentBlocklist = ComponentBlocklist()
  ) {
    state = Mutex(State(waiting: sources.reversed(), blocklist: blocklist))
  }

  /// The components, in stable order, unsearchable ones included.
  ///
  /// Context: control.
  public var components: [AudioComponent] {
    state.withLock { state in
      state.askAll()
      return state.components
    }
  }

  /// Components kept out because of another's identity, which only the path of their bundle names.
  ///
  /// Context: control.
  package var leftOut: [AudioComponent] {
    state.withLock { state in
      state.askAll()
      return state.leftOut
    }
  }

  /// The sources' failures to read, and components kept out because one of another name has their
  /// identity. A scan reports components that another bundle replaces.
  ///
  /// Context: control.
  public var problems: [ComponentProblem] {
    state.withLock { state in
      state.askAll()
      return state.problems
    }
  }

  /// The next component that a search finds.
  ///
  /// - Parameters:
  ///   - previous: The search's last result; nil to start. A component that is not of this
  ///     registry finds nothing.
  ///   - wanted: Zeros are wildcards; flags count under the mask.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioComponentFindNext`.
  public func findNext(
    after previous: AudioComponent?, matching wanted: AudioComponentDescription
  ) -> AudioComponent? {
    state.withLock { state in
      var index = 0
      if let previous {
        guard let found = state.indices[previous.description.identity],
          state.components[found] === previous
        else { return nil }
        index = found + 1
      }
      repeat {
        if let next = state.components[index...].first(where: { $0.description.matches(wanted) }) {
          return next
        }
        // No other source adds to an identity that exists already.
        if wanted.namesOneComponent, state.indices[wanted.identity] != nil { return nil }
        index = state.components.count
      } while state.askNext()
      return nil
    }
  }

  /// Counts the components that a search finds.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioComponentCount`.
  public func count(matching wanted: AudioComponentDescription) -> Int {
    components.count { $0.description.matches(wanted) }
  }

  /// The components that a pattern finds, in stable order.
  ///
  /// Context: control.
  public func matching(_ pattern: ComponentPattern) -> [AudioComponent] {
    let wanted = pattern.search
    return components.filter { $0.description.matches(wanted) }
  }

  /// The component of an identity; flags do not count.
  ///
  /// Context: control.
  public func component(
    type: OSType, subtype: OSType, manufacturer: OSType
  ) -> AudioComponent? {
    let identity = ComponentIdentity(type: type, subtype: subtype, manufacturer: manufacturer)
    return state.withLock { state in
      repeat {
        if let index = state.indices[identity] { return state.components[index] }
      } while state.askNext()
      return nil
    }
  }

  /// The component with this unique name, if it is the first of its identity and the only one of that name;
  /// nil for others. Sources behind the one that has it are not asked.
  ///
  /// Context: control.
  func component(type: OSType, subtype: OSType, manufacturer: OSType, uniqueName: String)
    -> AudioComponent?
  {
    guard
      let found = component(type: type, subtype: subtype, manufacturer: manufacturer),
      found.uniqueName == uniqueName
    else { return nil }
    let isAlone = state.withLock { $0.leftOut.allSatisfy { $0.uniqueName != uniqueName } }
    return isAlone ? found : nil
  }

  /// Adds a component made by this process.
  ///
  /// - Throws: with `kAudioComponentErr_DuplicateDescription` if its identity exists already, with
  ///   `kAudio_ParamError` if one of its codes is 0.
  ///
  /// Context: control.
  @discardableResult
  public func register(_ component: AudioComponent) throws(AuricleError) -> AudioComponent {
    guard component.description.namesOneComponent else {
      throw AuricleError(
        .software, status: AudioStatus.badParameter.rawValue,
        "\(component.name): a component needs a type, a subtype and a manufacturer.")
    }
    let problem = state.withLock { state in
      state.askAll()
      return Self.add(component, to: &state)
    }
    if let problem {
      throw AuricleError(
        .software, status: kAudioComponentErr_DuplicateDescription,
        "\(component.name): \(problem.message)")
    }
    return component
  }

  /// Adds a component whose instances a C factory makes.
  ///
  /// - Throws: as `register(_:)`; opening an instance throws `.unavailable` if the factory returns
  ///   null.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioComponentRegister`.
  @discardableResult
  public func register(
    description: AudioComponentDescription, name: String, version: UInt32,
    factory: AudioComponentFactoryFunction
  ) throws(AuricleError) -> AudioComponent {
    let component = unsafe AudioComponent(
      description: description, name: name, version: version, origin: .native, location: .process
    ) { (wanted) throws(AuricleError) in
      var wanted = wanted
      guard let plugIn = unsafe factory(&wanted) else {
        throw AuricleError(.unavailable, "\(name): the factory function returned nothing.")
      }
      return unsafe plugIn
    }
    return try register(component)
  }

  private static func add(_ component: AudioComponent, to state: inout State) -> ComponentProblem? {
    let identity = component.description.identity
    let path = component.location.identifier ?? component.location.path ?? component.name
    if let index = state.indices[identity] {
      let first = state.components[index]
      state.leftOut.append(component)
      // If two bundles have one identity, the first is wanted.
      if case .path = component.location, case .path = first.location { return nil }
      let place = first.location.identifier ?? first.location.path ?? "this process"
      return ComponentProblem(
        path: path,
        message: "\(component.name) is left out: \(component.triple) is \(first.name) already "
          + "(\(place)).")
    }
    guard component.description.namesOneComponent else {
      return ComponentProblem(
        path: path,
        message: "\(component.name) is left out: \(component.triple) has a part that is 0.")
    }
    state.indices.insert(identity, at: state.components.count)
    state.components.append(component)
    return nil
  }
}
