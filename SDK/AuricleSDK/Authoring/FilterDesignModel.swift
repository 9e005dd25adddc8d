// The design of a unit's filters as a property of it, kept with its state.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A model that holds the design of a unit's filters, which a host may choose.
///
/// A unit whose model holds more than the design:
///
/// ```swift
/// struct State: FilterDesignModel {
///   var design = FilterDesign.matched
///   var bands: Int32 = 8
///   init() {}
///   init(restoring state: UnitState, version: Int32) {
///     design = Self.savedDesign(in: state) ?? .matched
///     bands = min(max(state.integer("bands") ?? 8, 1), 16)
///   }
///   func save(to state: UnitState) {
///     state.set("filter-design", integer: design.rawValue)
///     state.set("bands", integer: bands)
///   }
/// }
/// ```
///
/// `MatchedFilters` and `CookbookFilters` hold the design alone. Context: control.
public protocol FilterDesignModel: UnitModel {
  /// The method of discretisation: bilinear or matched.
  var design: FilterDesign { get set }
}

extension FilterDesignModel {
  /// Keeps the design. Context: control.
  public func save(to state: UnitState) { state.set("filter-design", integer: design.rawValue) }

  /// Returns the design that a state holds; nil where it holds none. Context: control.
  public static func savedDesign(in state: UnitState) -> FilterDesign? {
    state.integer("filter-design").flatMap { FilterDesign(rawValue: $0) }
  }
}

/// The model of filters that are matched unless a host wants the cookbook's.
///
/// ```swift
/// typealias State = MatchedFilters
/// static var properties: [CustomProperty<Self>] { CustomProperty<Self>.filterDesigns }
/// ```
///
/// The unit makes its filters with `setup.state.design`.
public struct MatchedFilters: FilterDesignModel {
  /// The method of discretisation; matched by default.
  public var design = FilterDesign.matched
  /// Matched.
  public init() {}
  /// Restores the saved design.
  public init(restoring state: UnitState, version: Int32) {
    design = Self.savedDesign(in: state) ?? .matched
  }
}

/// The model of filters that are the cookbook's unless a host wants them matched.
///
/// For units whose curves are to equal those of Core Audio's.
public struct CookbookFilters: FilterDesignModel {
  /// The method of discretisation; the cookbook's by default.
  public var design = FilterDesign.cookbook
  /// The cookbook's.
  public init() {}
  /// Restores the saved design.
  public init(restoring state: UnitState, version: Int32) {
    design = Self.savedDesign(in: state) ?? .cookbook
  }
}

extension NamedSetting where Unit.State: FilterDesignModel, Unit: ~Copyable {
  /// The design by its name: `cookbook` or `matched`.
  public static var filterDesign: NamedSetting {
    .choice(
      "design", name: "design", ["cookbook", "matched"],
      initial: Int(Unit.State().design.rawValue), get: { Int($0.state.design.rawValue) },
      set: { (access, number) throws(UnitRefusal) in
        var state = access.state
        state.design = FilterDesign(rawValue: Int32(clamping: number)) ?? state.design
        try access.setState(state)
      })
  }
}

extension CustomProperty where Unit: AuricleUnit, Unit.State: FilterDesignModel, Unit: ~Copyable {
  /// The design as a property and as a setting with a name, of a unit without other settings.
  ///
  /// A unit with other settings lists `.filterDesign` among its properties and among its settings.
  public static var filterDesigns: [CustomProperty] { [.filterDesign] + settings([.filterDesign]) }

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
