// Memory behind handles: `MacMemory.h`.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc
import Synchronization

/// Sizes of the existing handles, by their addresses, and the last error of the functions.
private let handles = Mutex((sizes: [UInt: Int](), error: OSErr(0)))

private func size(_ handle: MemoryHandle?) -> Int? {
  handles.withLock { $0.sizes[UInt(bitPattern: handle)] }
}

private func note(_ error: OSStatus) { handles.withLock { $0.error = OSErr(error) } }

private func make(_ byteCount: Int) -> MemoryHandle? {
  guard byteCount >= 0, let memory = unsafe calloc(max(byteCount, 1), 1) else {
    note(memFullErr)
    return nil
  }
  let handle = MemoryHandle.allocate(capacity: 1)
  unsafe handle.initialize(to: memory.assumingMemoryBound(to: CChar.self))
  handles.withLock {
    $0.sizes[UInt(bitPattern: handle)] = byteCount
    $0.error = 0
  }
  return unsafe handle
}

/// Makes a handle of so many bytes; null where there is no memory.
///
/// Context: control.
@c @implementation
public func NewHandle(_ byteCount: Size) -> MemoryHandle? { unsafe make(byteCount) }

/// As `NewHandle`, with zeros.
///
/// Context: control.
@c @implementation
public func NewHandleClear(_ byteCount: Size) -> MemoryHandle? { unsafe make(byteCount) }

/// Disposes of a handle; one that is not there, or null, does nothing.
///
/// Context: control.
@c @implementation
public func DisposeHandle(_ handle: MemoryHandle?) {
  let known = handles.withLock { handles in
    handles.error = 0
    return handles.sizes.removeValue(forKey: UInt(bitPattern: handle))
  }
  guard known != nil, let handle = unsafe handle else { return }
  unsafe free(handle.pointee)
  unsafe handle.deallocate()
}

/// The bytes of a handle; 0 for one that is not there.
///
/// Context: control.
@c @implementation
public func GetHandleSize(_ handle: MemoryHandle?) -> Size {
  let found = unsafe size(handle)
  note(found == nil ? OSStatus(nilHandleErr) : noErr)
  return found ?? 0
}

/// Changes the number of bytes of a handle; the common part stays. Its memory may move.
///
/// Context: control.
@c @implementation
public func SetHandleSize(_ handle: MemoryHandle?, _ newSize: Size) {
  guard let handle = unsafe handle, unsafe size(handle) != nil else {
    return note(OSStatus(nilHandleErr))
  }
  guard newSize >= 0, let memory = unsafe realloc(handle.pointee, max(newSize, 1)) else {
    return note(memFullErr)
  }
  unsafe handle.pointee = memory.assumingMemoryBound(to: CChar.self)
  handles.withLock {
    $0.sizes[UInt(bitPattern: handle)] = newSize
    $0.error = 0
  }
}

/// Does nothing: the memory of a handle moves only when its size is set.
///
/// Context: control.
@c @implementation
public func HLock(_ handle: MemoryHandle?) {}

/// Does nothing, as `HLock`.
///
/// Context: control.
@c @implementation
public func HUnlock(_ handle: MemoryHandle?) {}

/// The result of the last of these functions: `memFullErr`, `nilHandleErr`, or 0.
///
/// Context: control.
@c @implementation
public func MemError() -> OSErr { handles.withLock { $0.error } }
