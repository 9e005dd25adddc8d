// The design of a unit's filters as a property of it, kept with its state.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A model that holds the design of a unit's filters.
public protocol FilterDesignModel: UnitModel {
  /// How the filters become digital.
  var design: FilterDesign { get set }
}

extension FilterDesignModel {
  /// Keeps the design. Context: control.
  public func save(to state: UnitState) { state.set("filter-design", integer: design.rawValue) }

  /// The design that a state holds; nil where it holds none. Context: control.
  public static func savedDesign(in state: UnitState) -> FilterDesign? {
    state.integer("filter-design").flatMap { FilterDesign(rawValue: $0) }
  }
}

/// The model of filters that are matched unless a host wants the cookbook's.
public struct MatchedFilters: FilterDesignModel {
  /// How the filters become digital.
  public var design = FilterDesign.matched
  /// Matched.
  public init() {}
  /// What was saved.
  public init(restoring state: UnitState, version: Int32) {
    design = Self.savedDesign(in: state) ?? .matched
  }
}

/// The model of filters that are the cookbook's unless a host wants them matched.
public struct CookbookFilters: FilterDesignModel {
  /// How the filters become digital.
  public var design = FilterDesign.cookbook
  /// The cookbook's.
  public init() {}
  /// What was saved.
  public init(restoring state: UnitState, version: Int32) {
    design = Self.savedDesign(in: state) ?? .cookbook
  }
}

extension CustomProperty where Unit: AuricleUnit, Unit.State: FilterDesignModel, Unit: ~Copyable {
  /// `kAuricleProperty_FilterDesign`: 0, the cookbook's, or 1, matched.
  public static var filterDesign: CustomProperty {
    .bytes(
      kAuricleProperty_FilterDesign, get: { [$0.state.design.rawValue].bytes },
      set: { (access, bytes) throws(UnitRefusal) in
        guard let number = UInt32(bytes),
          let design = FilterDesign(rawValue: Int32(clamping: number))
        else {
          throw UnitRefusal(
            status: kAudioUnitErr_InvalidPropertyValue,
            reason: "a filter design is a UInt32, 0 (the cookbook's) or 1 (matched)")
        }
        var state = access.state
        state.design = design
        try access.setState(state)
      })
  }
}
