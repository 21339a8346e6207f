// ALiBi and the buckets of T5, with the names and the signs of posenc.
//
// Letters: H heads, h a head, m its slope, k an offset, key minus query, n a distance, |k|.

/** Return the slopes of H heads, which need not be a power of two. */
export function alibiSlopes(nHeads) {
  let n = 1; // the largest power of two not above H
  while (2 * n <= nHeads) n *= 2;
  return Array.from({ length: nHeads }, (_, h) =>
    h < n ? 2 ** ((-8 * (h + 1)) / n) : 2 ** ((-4 * (2 * (h - n) + 1)) / n),
  );
}

/** Return the bias of a head with slope m for a key at offset k. */
export function biasAt(slope, k, form = "causal") {
  return form === "causal" && k > 0 ? -Infinity : 0 - slope * Math.abs(k);
}

/** Return the biases as an array (heads, queries, keys); queries are the last positions. */
export function alibiBias(nHeads, qLen, kLen = qLen, { form } = {}) {
  return alibiSlopes(nHeads).map((slope) =>
    Array.from({ length: qLen }, (_, r) =>
      Array.from({ length: kLen }, (_, q) => biasAt(slope, q - (r + kLen - qLen), form)),
    ),
  );
}

/** Return the distance at which a key of equal content has half the weight of the nearest one. */
export function halfway(slope) {
  return Math.LN2 / slope;
}

/** Return the smallest distance in each bucket of one direction, except for bucket 0. */
export function bucketStarts(directed, maxDistance) {
  const exact = Math.floor(directed / 2); // number of buckets for a single distance
  const wide = directed - exact;
  const starts = Array.from({ length: exact }, (_, n) => n + 1);
  for (let j = 1; j < wide; j++) {
    // Bucket exact + j begins at the first n with n^wide >= maxDistance^j exact^(wide - j).
    const least = BigInt(maxDistance) ** BigInt(j) * BigInt(exact) ** BigInt(wide - j);
    const reaches = (n) => BigInt(n) ** BigInt(wide) >= least;
    let n = Math.round(exact * (maxDistance / exact) ** (j / wide)); // exact up to rounding
    while (!reaches(n)) n++;
    while (reaches(n - 1)) n--;
    starts.push(n);
  }
  return starts;
}

/** Return the buckets of offsets; they get wider with distance. */
export function relativePositionBucket(offsets, options = {}) {
  const { bidirectional = true, numBuckets = 32, maxDistance = 128 } = options;
  const directed = bidirectional ? numBuckets / 2 : numBuckets;
  const starts = bucketStarts(directed, maxDistance);
  return offsets.map((k) => {
    const n = bidirectional ? Math.abs(k) : Math.max(-k, 0);
    const bucket = starts.filter((start) => start <= n).length;
    return bidirectional && k > 0 ? bucket + directed : bucket;
  });
}

/** Return the smallest and the largest distance in the bucket of an offset. */
export function sharedDistances(k, { bidirectional = true, numBuckets = 32, maxDistance = 128 } = {}) {
  const n = bidirectional ? Math.abs(k) : Math.max(-k, 0);
  const starts = bucketStarts(bidirectional ? numBuckets / 2 : numBuckets, maxDistance);
  const first = starts.filter((start) => start <= n).at(-1) ?? 0;
  const next = starts.find((start) => start > n);
  return [first, next === undefined ? Infinity : next - 1];
}
