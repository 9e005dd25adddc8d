// The functions of MIDIServices.h that list sources and destinations.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIPorts

private func endpoints(areSources: Bool) -> [MIDIRef] {
  (try? MIDISystem.shared().endpoints(areSources: areSources)) ?? []
}

/// An element of a list; 0 past the end.
func element(_ list: [MIDIRef], _ index: Int) -> MIDIRef {
  list.indices.contains(index) ? list[index] : 0
}

/// Counts the sources of all programs of the user.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfSources() -> Int { endpoints(areSources: true).count }

/// A source; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetSource(_ index: Int) -> MIDIEndpointRef {
  element(endpoints(areSources: true), index)
}

/// Counts the destinations of all programs of the user.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfDestinations() -> Int { endpoints(areSources: false).count }

/// A destination; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetDestination(_ index: Int) -> MIDIEndpointRef {
  element(endpoints(areSources: false), index)
}
