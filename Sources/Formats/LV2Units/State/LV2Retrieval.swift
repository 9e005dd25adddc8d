// Reads the properties of lilv's states, and withholds paths that lead elsewhere.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import LV2Bundles

/// The function that finds a property of a state.
typealias LV2RetrieveFunction =
  @convention(c) (
    LV2_State_Handle?, UInt32, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UInt32>?,
    UnsafeMutablePointer<UInt32>?
  ) -> UnsafeRawPointer?

/// The function that stores a property in a state.
typealias LV2StoreFunction =
  @convention(c) (
    LV2_State_Handle?, UInt32, UnsafeRawPointer?, Int, UInt32, UInt32
  ) -> LV2_State_Status

/// A body that needs one of lilv's functions.
@safe final class LV2RetrievalCall {
  var retrieving: ((LV2RetrieveFunction, LV2_State_Handle?) -> Void)?
  var storing: ((LV2StoreFunction, LV2_State_Handle?) -> LV2_State_Status)?
}

/// A filter between a plug-in and lilv: paths of a state on disk that lead out of it are hidden.
@safe final class LV2RetrieveFilter {
  let retrieve: LV2RetrieveFunction
  let source: LV2_State_Handle?
  let paths: LV2StatePaths
  /// Properties whose values are URI strings: in Turtle, these cannot be distinguished from URIDs.
  let uriKeys: Set<UInt32>

  init(
    retrieve: @escaping LV2RetrieveFunction, source: LV2_State_Handle?, paths: LV2StatePaths,
    uriKeys: Set<UInt32>
  ) {
    unsafe self.retrieve = unsafe retrieve
    unsafe self.source = unsafe source
    self.paths = paths
    self.uriKeys = uriKeys
  }
}

/// The plug-in's callback to find a property; the handle is an `LV2RetrieveFilter`.
let retrieveFiltered: LV2RetrieveFunction = { handle, key, size, type, flags in
  guard let handle = unsafe handle else { return nil }
  let filter = unsafe Unmanaged<LV2RetrieveFilter>.fromOpaque(handle).takeUnretainedValue()
  var length = 0
  var kind: UInt32 = 0
  var bits: UInt32 = 0
  guard let body = unsafe filter.retrieve(filter.source, key, &length, &kind, &bits) else {
    return nil
  }
  if case .reading = filter.paths.mode, kind == LV2URIDs.shared.path {
    let view = unsafe LV2ValueView(
      key: key, type: kind, size: length, body: UnsafeMutableRawPointer(mutating: body))
    guard let path = view.text(LV2URIDs.shared), filter.paths.absolute(path) != nil else {
      return nil
    }
  }
  if filter.uriKeys.contains(key) {
    let view = unsafe LV2ValueView(
      key: key, type: kind, size: length, body: UnsafeMutableRawPointer(mutating: body))
    if let text = unsafe view.urid(LV2URIDs.shared).flatMap(URIDMap.shared.text) {
      unsafe size?.pointee = strlen(text) + 1
      unsafe type?.pointee = LV2URIDs.shared.uri
      unsafe flags?.pointee = bits
      return unsafe UnsafeRawPointer(text)
    }
  }
  unsafe size?.pointee = length
  unsafe type?.pointee = kind
  unsafe flags?.pointee = bits
  return unsafe body
}

/// The state interface of the pseudo instance: passes lilv's functions to the body behind its handle.
private let retrievalInterface: LV2Forever<LV2_State_Interface> = unsafe LV2Forever(
  LV2_State_Interface(
    save: { handle, store, target, _, _ in
      guard let handle = unsafe handle, let store = unsafe store else {
        return LV2_STATE_ERR_UNKNOWN
      }
      let call = unsafe Unmanaged<LV2RetrievalCall>.fromOpaque(handle).takeUnretainedValue()
      return unsafe call.storing?(store, target) ?? LV2_STATE_SUCCESS
    },
    restore: { handle, retrieve, source, _, _ in
      guard let handle = unsafe handle, let retrieve = unsafe retrieve else {
        return LV2_STATE_ERR_UNKNOWN
      }
      let call = unsafe Unmanaged<LV2RetrievalCall>.fromOpaque(handle).takeUnretainedValue()
      unsafe call.retrieving?(retrieve, source)
      return LV2_STATE_SUCCESS
    }))

/// The descriptor of the pseudo instance, which has only a state interface.
let retrievalDescriptor: LV2Forever<LV2_Descriptor> = unsafe LV2Forever(
  LV2_Descriptor(
    URI: nil, instantiate: nil, connect_port: nil, activate: nil, run: nil, deactivate: nil,
    cleanup: nil,
    extension_data: { uri in
      guard let uri = unsafe uri, unsafe String(cString: uri) == LV2Names.state + "interface" else {
        return nil
      }
      return unsafe UnsafeRawPointer(retrievalInterface.pointer)
    }))
