// Four steps of a two-pole filter in one: the coefficients for its loop.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// Outputs and states after four inputs as linear functions of these and of the states before.
///
/// The form in which a `StateVariableBank` runs a filter. To make it costs many multiplications:
/// units do so when values change, not in every slice.
///
/// Context: any.
public struct StateVariableStep: Sendable {
  let values: AuricleFilterStep

  /// Makes the step of four frames from the coefficients of one.
  @_noLocks public init(_ c: StateVariableCoefficients) {
    // Rows c, cA, cAA, cAAA; columns B, AB, AAB, AAAB; and A to the fourth power.
    let row0 = (c.c1, c.c2)
    let row1 = Self.row(row0, c), row2 = Self.row(row1, c), row3 = Self.row(row2, c)
    let column0 = (c.b1, c.b2)
    let column1 = Self.column(column0, c), column2 = Self.column(column1, c)
    let column3 = Self.column(column2, c)
    let first = Self.column(Self.column((c.a11, c.a21), c), c)
    let second = Self.column(Self.column((c.a12, c.a22), c), c)
    let (p1, p2) = (Self.column(first, c), Self.column(second, c))
    values = AuricleFilterStep(
      response: (
        c.d, row0.0 * c.b1 + row0.1 * c.b2, row1.0 * c.b1 + row1.1 * c.b2,
        row2.0 * c.b1 + row2.1 * c.b2
      ),
      outputs: (row0, row1, row2, row3), states: ((p1.0, p2.0), (p1.1, p2.1)),
      inputs: (
        (column3.0, column2.0, column1.0, column0.0), (column3.1, column2.1, column1.1, column0.1)
      ))
  }

  @_noLocks private static func row(
    _ row: (Double, Double), _ c: StateVariableCoefficients
  ) -> (Double, Double) {
    (row.0 * c.a11 + row.1 * c.a21, row.0 * c.a12 + row.1 * c.a22)
  }

  @_noLocks private static func column(
    _ column: (Double, Double), _ c: StateVariableCoefficients
  ) -> (Double, Double) {
    (c.a11 * column.0 + c.a12 * column.1, c.a21 * column.0 + c.a22 * column.1)
  }
}
