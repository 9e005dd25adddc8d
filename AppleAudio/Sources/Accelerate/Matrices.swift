// The functions of BLAS that audio programs call, as plain loops.
// SPDX-License-Identifier: Apache-2.0

/// The order of a matrix in memory.
public struct CBLAS_ORDER: RawRepresentable, Equatable, Sendable {
  /// BLAS's number.
  public var rawValue: UInt32
  /// An order by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
/// Row by row.
public let CblasRowMajor = CBLAS_ORDER(rawValue: 101)
/// Column by column.
public let CblasColMajor = CBLAS_ORDER(rawValue: 102)

/// Whether a matrix is transposed.
public struct CBLAS_TRANSPOSE: RawRepresentable, Equatable, Sendable {
  /// BLAS's number.
  public var rawValue: UInt32
  /// A form by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
/// As it is.
public let CblasNoTrans = CBLAS_TRANSPOSE(rawValue: 111)
/// Transposed.
public let CblasTrans = CBLAS_TRANSPOSE(rawValue: 112)

/// The type of a whole number in BLAS.
public typealias __LAPACK_int = Int32

/// The steps of a matrix along its rows and columns.
private func steps(_ order: CBLAS_ORDER, _ form: CBLAS_TRANSPOSE, _ leading: Int32) -> (
  row: Int, column: Int
) {
  (order == CblasRowMajor) == (form == CblasNoTrans) ? (Int(leading), 1) : (1, Int(leading))
}

private func multiply<Value: BinaryFloatingPoint>(
  _ order: CBLAS_ORDER, _ formA: CBLAS_TRANSPOSE, _ formB: CBLAS_TRANSPOSE,
  _ sizes: (m: Int32, n: Int32, k: Int32),
  _ alpha: Value, _ A: UnsafePointer<Value>, _ lda: Int32, _ B: UnsafePointer<Value>, _ ldb: Int32,
  _ beta: Value,
  _ C: UnsafeMutablePointer<Value>, _ ldc: Int32
) {
  let (a, b, c) = (
    steps(order, formA, lda), steps(order, formB, ldb), steps(order, CblasNoTrans, ldc)
  )
  for row in 0..<Int(sizes.m) {
    for column in 0..<Int(sizes.n) {
      var sum: Value = 0
      for k in 0..<Int(sizes.k) {
        sum += A[row * a.row + k * a.column] * B[k * b.row + column * b.column]
      }
      let place = row * c.row + column * c.column
      C[place] = alpha * sum + (beta == 0 ? 0 : beta * C[place])
    }
  }
}

private func multiply<Value: BinaryFloatingPoint>(
  _ order: CBLAS_ORDER, _ form: CBLAS_TRANSPOSE, _ m: Int32, _ n: Int32, _ alpha: Value,
  _ A: UnsafePointer<Value>,
  _ lda: Int32, _ X: UnsafePointer<Value>, _ incX: Int32, _ beta: Value,
  _ Y: UnsafeMutablePointer<Value>, _ incY: Int32
) {
  let a = steps(order, form, lda)
  let (rows, columns) = form == CblasNoTrans ? (Int(m), Int(n)) : (Int(n), Int(m))
  for row in 0..<rows {
    var sum: Value = 0
    for column in 0..<columns { sum += A[row * a.row + column * a.column] * X[column * Int(incX)] }
    Y[row * Int(incY)] = alpha * sum + (beta == 0 ? 0 : beta * Y[row * Int(incY)])
  }
}

/// C = alpha A B + beta C.
public func cblas_sgemm(
  _ order: CBLAS_ORDER, _ transA: CBLAS_TRANSPOSE, _ transB: CBLAS_TRANSPOSE, _ M: Int32,
  _ N: Int32, _ K: Int32,
  _ alpha: Float, _ A: UnsafePointer<Float>, _ lda: Int32, _ B: UnsafePointer<Float>, _ ldb: Int32,
  _ beta: Float,
  _ C: UnsafeMutablePointer<Float>, _ ldc: Int32
) {
  multiply(order, transA, transB, (M, N, K), alpha, A, lda, B, ldb, beta, C, ldc)
}
/// C = alpha A B + beta C.
public func cblas_dgemm(
  _ order: CBLAS_ORDER, _ transA: CBLAS_TRANSPOSE, _ transB: CBLAS_TRANSPOSE, _ M: Int32,
  _ N: Int32, _ K: Int32,
  _ alpha: Double, _ A: UnsafePointer<Double>, _ lda: Int32, _ B: UnsafePointer<Double>,
  _ ldb: Int32, _ beta: Double,
  _ C: UnsafeMutablePointer<Double>, _ ldc: Int32
) {
  multiply(order, transA, transB, (M, N, K), alpha, A, lda, B, ldb, beta, C, ldc)
}
/// Y = alpha A X + beta Y.
public func cblas_sgemv(
  _ order: CBLAS_ORDER, _ trans: CBLAS_TRANSPOSE, _ M: Int32, _ N: Int32, _ alpha: Float,
  _ A: UnsafePointer<Float>,
  _ lda: Int32, _ X: UnsafePointer<Float>, _ incX: Int32, _ beta: Float,
  _ Y: UnsafeMutablePointer<Float>, _ incY: Int32
) {
  multiply(order, trans, M, N, alpha, A, lda, X, incX, beta, Y, incY)
}
/// Y = alpha A X + beta Y.
public func cblas_dgemv(
  _ order: CBLAS_ORDER, _ trans: CBLAS_TRANSPOSE, _ M: Int32, _ N: Int32, _ alpha: Double,
  _ A: UnsafePointer<Double>,
  _ lda: Int32, _ X: UnsafePointer<Double>, _ incX: Int32, _ beta: Double,
  _ Y: UnsafeMutablePointer<Double>,
  _ incY: Int32
) {
  multiply(order, trans, M, N, alpha, A, lda, X, incX, beta, Y, incY)
}
/// Y = X.
public func cblas_scopy(
  _ N: Int32, _ X: UnsafePointer<Float>, _ incX: Int32, _ Y: UnsafeMutablePointer<Float>,
  _ incY: Int32
) {
  for n in 0..<Int(N) { Y[n * Int(incY)] = X[n * Int(incX)] }
}
/// Y = alpha X + Y.
public func cblas_saxpy(
  _ N: Int32, _ alpha: Float, _ X: UnsafePointer<Float>, _ incX: Int32,
  _ Y: UnsafeMutablePointer<Float>, _ incY: Int32
) {
  for n in 0..<Int(N) { Y[n * Int(incY)] += alpha * X[n * Int(incX)] }
}
/// Y = alpha X + Y.
public func cblas_daxpy(
  _ N: Int32, _ alpha: Double, _ X: UnsafePointer<Double>, _ incX: Int32,
  _ Y: UnsafeMutablePointer<Double>,
  _ incY: Int32
) {
  for n in 0..<Int(N) { Y[n * Int(incY)] += alpha * X[n * Int(incX)] }
}
/// The sum of the products.
public func cblas_sdot(
  _ N: Int32, _ X: UnsafePointer<Float>, _ incX: Int32, _ Y: UnsafePointer<Float>, _ incY: Int32
) -> Float {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += X[n * Int(incX)] * Y[n * Int(incY)] }
  return sum
}
/// X = alpha X.
public func cblas_sscal(_ N: Int32, _ alpha: Float, _ X: UnsafeMutablePointer<Float>, _ incX: Int32)
{
  for n in 0..<Int(N) { X[n * Int(incX)] *= alpha }
}
