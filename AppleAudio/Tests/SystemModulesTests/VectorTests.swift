// Functions of vectors against their definitions.
// SPDX-License-Identifier: Apache-2.0

import Accelerate
import Testing

struct VectorTests {
  let a: [Float] = [1, -2, 3, -4, 5, -6, 7, -8]
  let b: [Float] = [2, 2, 4, 4, 8, 8, 16, 16]

  @Test func subtractionAndDivisionHaveTheSecondOperandFirst() {
    var c = [Float](repeating: 0, count: 8)
    vDSP_vsub(b, 1, a, 1, &c, 1, 8)
    #expect(c == zip(a, b).map { $0 - $1 })
    vDSP_vdiv(b, 1, a, 1, &c, 1, 8)
    #expect(c == zip(a, b).map { $0 / $1 })
  }

  @Test func stridesCountElements() {
    var c = [Float](repeating: 9, count: 4)
    vDSP_vadd(a, 2, b, 2, &c, 1, 4)
    #expect(c == [3, 7, 13, 23])
    var index: vDSP_Length = 0
    var best: Float = 0
    vDSP_maxvi(a, 2, &best, &index, 4)
    #expect(best == 7 && index == 6)
  }

  @Test func reductionsHaveTheirDefinitions() {
    #expect(vDSP.sum(a) == -4)
    #expect(vDSP.sumOfSquares(a) == 204)
    #expect(vDSP.meanSquare(a) == 25.5)
    #expect(vDSP.rootMeanSquare(a) == Float(25.5).squareRoot())
    #expect(vDSP.maximum(a) == 7 && vDSP.minimum(a) == -8 && vDSP.maximumMagnitude(a) == 8)
    #expect(vDSP.dot(a, b) == zip(a, b).map(*).reduce(0, +))
    #expect(vDSP.mean([1.0, 2.0, 6.0]) == 3)
    #expect(vDSP.indexOfMaximum(a).0 == 6)
  }

  @Test func scalarsComeByPointer() {
    var c = [Float](repeating: 0, count: 8)
    var two: Float = 2
    vDSP_vsmul(a, 1, &two, &c, 1, 8)
    #expect(c == a.map { $0 * 2 })
    #expect(vDSP.multiply(2, a) == c && vDSP.add(2, a) == a.map { $0 + 2 })
    var (low, high): (Float, Float) = (-1, 4)
    vDSP_vclip(a, 1, &low, &high, &c, 1, 8)
    #expect(c == [1, -1, 3, -1, 4, -1, 4, -1] && vDSP.clip(a, to: -1...4) == c)
    vDSP_vthr(a, 1, &low, &c, 1, 8)
    #expect(c == a.map { Swift.max($0, -1) })
    vDSP_vthres(a, 1, &low, &c, 1, 8)
    #expect(c == a.map { $0 >= -1 ? $0 : 0 })
  }

  @Test func matricesLieRowByRow() {
    let m: [Float] = [1, 2, 3, 4, 5, 6]
    var product = [Float](repeating: 0, count: 4)
    vDSP_mmul(m, 1, m, 1, &product, 1, 2, 2, 3)
    #expect(product == [22, 28, 49, 64])
    var turned = [Float](repeating: 0, count: 6)
    vDSP_mtrans(m, 1, &turned, 1, 3, 2)
    #expect(turned == [1, 4, 2, 5, 3, 6])
    var part = [Float](repeating: 0, count: 4)
    vDSP_mmov(m, &part, 2, 2, 3, 2)
    #expect(part == [1, 2, 4, 5])
    var c = [Float](repeating: 1, count: 4)
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 2, 2, 3, 1, m, 3, m, 3, 2, &c, 2)
    #expect(c == [16, 34, 34, 79])
    var y: [Float] = [0, 0]
    cblas_sgemv(CblasRowMajor, CblasNoTrans, 2, 3, 1, m, 3, [1, 1, 1], 1, 0, &y, 1)
    #expect(y == [6, 15])
  }

  @Test func integersAreLimited() {
    let values: [Float] = [1e9, -1e9, 1.5, -2.5, .nan]
    var whole = [Int16](repeating: 0, count: 5)
    vDSP_vfix16(values, 1, &whole, 1, 5)
    #expect(whole == [32767, -32768, 1, -2, 0])
    vDSP_vfixr16(values, 1, &whole, 1, 5)
    #expect(whole == [32767, -32768, 2, -2, 0])
  }

  @Test func windowsArePeriodic() {
    let window = vDSP.window(
      ofType: Float.self, usingSequence: .hanningDenormalized, count: 8, isHalfWindow: false)
    for n in 0..<8 { #expect(abs(window[n] - (0.5 - 0.5 * cos(2 * .pi * Float(n) / 8))) < 1e-6) }
    var normal = [Float](repeating: 0, count: 64)
    vDSP_hann_window(&normal, 64, Int32(vDSP_HANN_NORM))
    #expect(abs(vDSP.meanSquare(normal) - 1) < 1e-5)
  }

  @Test func smallFunctions() {
    var c = [Float](repeating: 0, count: 3)
    vDSP_desamp([1, 2, 3, 4, 5, 6, 7], 2, [1, 1], &c, 3, 2)
    #expect(c == [3, 7, 11])
    #expect(vDSP.linearInterpolate([0, 0] as [Float], [2, 4], using: 0.25) == [0.5, 1])
    #expect(vDSP.convolve([1, 2, 3, 4] as [Float], withKernel: [1, 1]) == [3, 5, 7])
    #expect(vForce.exp([0, 1] as [Double])[1] == exp(1))
    #expect(vDSP.ramp(in: 0...1 as ClosedRange<Float>, count: 5) == [0, 0.25, 0.5, 0.75, 1])
    #expect(vDSP.amplitudeToDecibels([10] as [Double], zeroReference: 1) == [20])
    var slice = a[2..<4]
    vDSP.fill(&slice, with: 5)
    #expect(Array(slice) == [5, 5])
    var sorted = a
    vDSP_vsort(&sorted, 8, -1)
    #expect(sorted == a.sorted(by: >))
  }
}
