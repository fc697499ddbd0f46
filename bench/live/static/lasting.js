"use strict";

/* Seconds in few words, for what is waited for: "8 s", "3 min", "2 h 5 min". */
function lasting(value) {
  const whole = Math.round(value);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.round(whole / 60)} min`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
