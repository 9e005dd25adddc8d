// Small features: the older URI map and events, programs, the size of ports.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles

/// C structures that are the same for all instances; they live for ever.
enum LV2EventExtension {
  /// URIs to numbers, whatever the context: those of events fit 16 bits as long as there are few.
  static let uriMap: LV2Forever<AuricleURIMapFeature> = unsafe LV2Forever(
    AuricleURIMapFeature(
      callback_data: nil,
      uri_to_id: { _, _, uri in
        guard let uri = unsafe uri else { return 0 }
        return unsafe URIDMap.shared.number(String(cString: uri))
      }))

  /// Events here are plain data: there is nothing to count references of.
  static let events: LV2Forever<AuricleEventFeature> = unsafe LV2Forever(
    AuricleEventFeature(
      callback_data: nil, lv2_event_ref: { _, _ in 1 }, lv2_event_unref: { _, _ in 0 }))

  /// The list of programs is read when a host asks for it, so that a change needs no answer.
  static let programsHost: LV2Forever<AuricleProgramsHost> = unsafe LV2Forever(
    AuricleProgramsHost(handle: nil, program_changed: { _, _ in }))

  /// Ports get the size their data asks for; more cannot be had while rendering.
  static let resize: LV2Forever<LV2_Resize_Port_Resize> = unsafe LV2Forever(
    LV2_Resize_Port_Resize(
      data: nil,
      resize: { _, _, size in
        size <= LV2AtomBuffer.standardSize
          ? LV2_RESIZE_PORT_SUCCESS : LV2_RESIZE_PORT_ERR_NO_SPACE
      }))
}
