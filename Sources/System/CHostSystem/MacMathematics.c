// The number that CarbonCore/MacMathematics.h declares as `pi`.
// SPDX-License-Identifier: Apache-2.0

extern const double AuricleConstantPi;
const double AuricleConstantPi = 3.14159265358979323846;
