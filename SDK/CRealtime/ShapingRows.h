// The loops of oversampled distortion; included twice by Shaping.c.
// SPDX-License-Identifier: Apache-2.0

/// Eight frames of a row that is made of others.
INLINE Eight NAME(rowSum)(const float *place, const AuricleRowSum *row) {
  Eight sum = row->singleWeight * NAME(eight)(place + row->single);
  for (intptr_t pair = 0; pair < row->pairCount; pair++) {
    const Eight first = NAME(eight)(place + row->first[pair]);
    const Eight second = NAME(eight)(place + row->second[pair]);
    sum += row->weights[pair] * (first + second);
  }
  return sum;
}

/// Thirty-two frames, in the same order of sums: each weight is read once.
INLINE void NAME(rowSums)(const float *place, const AuricleRowSum *row, float *target) {
  const float *single = place + row->single;
  const Eight weight = NAME(all)(row->singleWeight);
  Eight a = weight * NAME(eight)(single), b = weight * NAME(eight)(single + 8);
  Eight c = weight * NAME(eight)(single + 16), d = weight * NAME(eight)(single + 24);
  for (intptr_t pair = 0; pair < row->pairCount; pair++) {
    const float *first = place + row->first[pair], *second = place + row->second[pair];
    const Eight part = NAME(all)(row->weights[pair]);
    a += part * (NAME(eight)(first) + NAME(eight)(second));
    b += part * (NAME(eight)(first + 8) + NAME(eight)(second + 8));
    c += part * (NAME(eight)(first + 16) + NAME(eight)(second + 16));
    d += part * (NAME(eight)(first + 24) + NAME(eight)(second + 24));
  }
  NAME(setEight)(target, a);
  NAME(setEight)(target + 8, b);
  NAME(setEight)(target + 16, c);
  NAME(setEight)(target + 24, d);
}

static void NAME(sumRows)(
    float *place, const AuricleRowSum *rows, intptr_t rowCount, intptr_t count) {
  for (intptr_t index = 0; index < rowCount; index++) {
    const AuricleRowSum *row = rows + index;
    float *target = place + row->target;
    if (count > 24) {
      NAME(rowSums)(place, row, target);
      continue;
    }
    for (intptr_t frame = 0; frame < count; frame += 8) {
      NAME(setEight)(target + frame, NAME(rowSum)(place + frame, row));
    }
  }
}

INLINE Eight NAME(onLine)(AuricleLine line, Eight place) { return line.start + line.slope * place; }

/// The hyperbolic tangent: a ratio of polynomials in the square, fitted between −8 and 8.
INLINE Eight NAME(softClip)(Eight x) {
  const Eight bounded = NAME(smaller)(NAME(larger)(x, NAME(all)(-8)), NAME(all)(8));
  const Eight s = bounded * bounded;
  Eight over = NAME(all)(1.5061714e-08f);
  over = over * s + 2.1773176e-05f;
  over = over * s + 0.0035641520f;
  over = over * s + 0.13438188f;
  over = over * s + 0.99999994f;
  Eight under = NAME(all)(8.4536225e-07f);
  under = under * s + 0.00033991726f;
  under = under * s + 0.026136000f;
  under = under * s + 0.46771508f;
  under = under * s + 1.0f;
  return bounded * over / under;
}

static void NAME(shapeRow)(
    float *row, const float *carrier, const AuricleShaping *shaping, intptr_t phase,
    intptr_t count) {
  Eight place = NAME(all)((float)phase) + (Eight){0, 1, 2, 3, 4, 5, 6, 7};
  for (intptr_t frame = 0; frame < count; frame += 8) {
    Eight x = NAME(eight)(row + frame);
    if (carrier) {
      x += (x * NAME(eight)(carrier + frame) - x) * NAME(onLine)(shaping->ring, place);
    }
    const Eight high = NAME(onLine)(shaping->cubic, place) * x;
    const Eight middle = (high + NAME(onLine)(shaping->squared, place)) * x;
    const Eight polynomial = (middle + NAME(onLine)(shaping->linear, place)) * x;
    x += (polynomial - x) * NAME(onLine)(shaping->polynomial, place);
    NAME(setEight)(row + frame, NAME(softClip)(x * NAME(onLine)(shaping->gain, place)));
    place += 8.0f;
  }
}
