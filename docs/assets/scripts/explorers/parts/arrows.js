// Arrows from a centre and the angle between two of them, as paths with y upwards.

const at = (x, y) => `${x.toFixed(2)} ${(-y).toFixed(2)}`;

/** Return the path of an arrow with its head, to [x, y] times the scale. */
export function arrow([x, y], scale, em) {
  const length = Math.hypot(x, y) * scale;
  const angle = Math.atan2(y, x);
  const head = Math.min(0.75 * em, length);
  const along = (far, aside) =>
    at(far * Math.cos(angle) - aside * Math.sin(angle), far * Math.sin(angle) + aside * Math.cos(angle));
  const tip = along(length, 0);
  return `M0 0L${tip}M${along(length - head, 0.5 * head)}L${tip}L${along(length - head, -0.5 * head)}`;
}

/** Return the angle from one arrow to another, from -π to π. */
export function between([a, b], [c, d]) {
  return Math.atan2(a * d - b * c, a * c + b * d);
}

/** Return the path of the shorter arc between the directions of two arrows, with a head. */
export function sector(from, to, radius, em) {
  const start = Math.atan2(from[1], from[0]);
  const turn = between(from, to);
  const place = (angle, r = radius) => at(r * Math.cos(angle), r * Math.sin(angle));
  const end = start + turn;
  const back = end - Math.sign(turn) * Math.min(Math.abs(turn), (0.55 * em) / radius);
  const wings = [1, -1].map((side) => place(back, radius + 0.3 * side * em));
  const arc = `M${place(start)}A${radius} ${radius} 0 0 ${turn > 0 ? 0 : 1} ${place(end)}`;
  return `${arc}M${wings[0]}L${place(end)}L${wings[1]}`;
}
