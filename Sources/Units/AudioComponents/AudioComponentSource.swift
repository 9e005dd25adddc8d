// Sources of components: the components that one finds, and its failures to read.
// SPDX-License-Identifier: Apache-2.0

/// Something on disk that should be a component and is not usable; costs only itself.
public struct ComponentProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file or folder.
  public var path: String
  /// One sentence: its fault.
  public var message: String

  /// Makes a problem.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  /// Path and sentence.
  public var description: String { "\(path): \(message)" }
}

/// The components that a source found.
public struct ComponentDiscovery: Sendable {
  /// The components, in the source's order of preference.
  public var components: [AudioComponent]
  /// Its failures to read.
  public var problems: [ComponentProblem]

  /// Makes a discovery.
  public init(components: [AudioComponent] = [], problems: [ComponentProblem] = []) {
    self.components = components
    self.problems = problems
  }
}

/// A place that components come from.
public protocol AudioComponentSource: Sendable {
  /// Finds the components that are there now. Reads descriptions only; opens no binary.
  ///
  /// Context: control.
  func discover() -> ComponentDiscovery
}
