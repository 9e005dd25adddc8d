// Parameter values shared between threads.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealtimeSupport
import Testing

@Suite struct ParameterStoreTests {
  @Test func valuesAreKeptApart() {
    let store = ParameterStore(count: 5, initialValue: 0.25)
    defer { store.deallocate() }
    #expect((0..<5).allSatisfy { store.value(at: $0) == 0.25 })
    for index in 0..<5 { store.setValue(Float(index), at: index) }
    #expect((0..<5).map { store.value(at: $0) } == [0, 1, 2, 3, 4])
  }

  @Test func indicesOutOfRangeAreHarmless() {
    let store = ParameterStore(count: 2, initialValue: 1)
    defer { store.deallocate() }
    for index in [-1, 2, Int.max, Int.min] {
      store.setValue(9, at: index)
      #expect(store.value(at: index) == 0)
    }
    #expect(store.value(at: 0) == 1 && store.value(at: 1) == 1)
    let empty = ParameterStore(count: -3)
    #expect(empty.count == 0 && empty.value(at: 0) == 0)
    empty.deallocate()
  }

  @Test("a reader of the number of changes misses none, and meters do not count")
  func changes() {
    let store = ParameterStore(count: 3)
    defer { store.deallocate() }
    let before = store.changeCount
    #expect(store.changeCount == before)
    store.setValue(0, at: 1)
    let after = store.changeCount
    #expect(after != before)
    store.setMeter(2, at: 0)
    var meters: [Float] = [3, 4]
    unsafe meters.withUnsafeMutableBufferPointer { meters in
      guard let memory = meters.baseAddress else { return }
      unsafe store.setMeters(1, count: 2, from: memory)
      // More than there are: none is set.
      unsafe store.setMeters(2, count: 2, from: memory)
    }
    store.setMeter(9, at: 3)
    #expect(store.changeCount == after)
    #expect((0..<3).map { store.value(at: $0) } == [2, 3, 4])
  }

  @Test("a reader that reads after changes alone ends with the last value")
  func changesFromAnotherThread() {
    let store = ParameterStore(count: 1)
    defer { store.deallocate() }
    let done = DispatchSemaphore(value: 0)
    let writer = Thread {
      for step in 1...200_000 { store.setValue(Float(step), at: 0) }
      done.signal()
    }
    writer.start()
    var (seen, value) = (UInt.max, Float.zero)
    func analyze() {
      let count = store.changeCount
      guard count != seen else { return }
      seen = count
      value = store.value(at: 0)
    }
    while done.wait(timeout: .now()) != .success { analyze() }
    analyze()
    #expect(value == 200_000)
  }

  @Test func aReaderSeesWholeValues() {
    let store = ParameterStore(count: 1)
    defer { store.deallocate() }
    let done = DispatchSemaphore(value: 0)
    let writer = Thread {
      for step in 0..<200_000 { store.setValue(step % 2 == 0 ? 1e30 : -1e-30, at: 0) }
      done.signal()
    }
    writer.start()
    var torn = 0
    for _ in 0..<200_000 {
      let value = store.value(at: 0)
      if value != 0 && value != 1e30 && value != -1e-30 { torn += 1 }
    }
    done.wait()
    #expect(torn == 0)
  }
}
