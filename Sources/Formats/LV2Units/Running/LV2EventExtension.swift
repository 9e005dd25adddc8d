// Small features: the older URI map and events, programs, the size of ports.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles

/// C structures shared by all instances; never freed.
enum LV2EventExtension {
  /// URIs to numbers; types of events have 16 bits, and of those there is one, MIDI.
  static let uriMap: LV2Forever<AuricleURIMapFeature> = unsafe LV2Forever(
    AuricleURIMapFeature(
      callback_data: nil,
      uri_to_id: { _, context, uri in
        guard let uri = unsafe uri else { return 0 }
        let number = unsafe URIDMap.shared.number(String(cString: uri))
        let isEvent = unsafe context.map { unsafe String(cString: $0) == Self.eventURI } ?? false
        return isEvent && number > UInt32(UInt16.max) ? 0 : number
      }))

  private static let eventURI = "http://lv2plug.in/ns/ext/event"

  /// Events are plain data without reference counts.
  static let events: LV2Forever<AuricleEventFeature> = unsafe LV2Forever(
    AuricleEventFeature(
      callback_data: nil, lv2_event_ref: { _, _ in 1 }, lv2_event_unref: { _, _ in 0 }))

  /// The list of programs is read when a host needs it, so that changes need no handling.
  static let programsHost: LV2Forever<AuricleProgramsHost> = unsafe LV2Forever(
    AuricleProgramsHost(handle: nil, program_changed: { _, _ in }))

  /// Ports have the size their data requests; they cannot grow while rendering.
  static let resize: LV2Forever<LV2_Resize_Port_Resize> = unsafe LV2Forever(
    LV2_Resize_Port_Resize(
      data: nil,
      resize: { _, _, size in
        size <= LV2AtomBuffer.standardSize
          ? LV2_RESIZE_PORT_SUCCESS : LV2_RESIZE_PORT_ERR_NO_SPACE
      }))
}
