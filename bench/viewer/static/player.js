"use strict";

/* The playhead: moves with the world's clock, and plays the sounds of every device in step with it. */
class Player {
  constructor(data, base, moved, state) {
    Object.assign(this, { data, base, moved, state, time: data.from, speed: 1, playing: false, muted: new Set(), sounding: new Map(), next: new Map() });
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.data.start), this.data.end);
    if (this.playing) this.sound(true); else this.hush();
    this.moved(this.time);
  }

  toggle() {
    if (this.playing) this.stop(); else this.play();
  }

  play() {
    if (this.time >= this.data.end - 1e-6) this.time = this.data.from;
    this.playing = true;
    this.last = performance.now();
    this.state();
    this.sound(true);
    const tick = (now) => {
      if (!this.playing) return;
      this.time = Math.min(this.data.end, this.time + (Math.max(0, now - this.last) / 1000) * this.speed);
      this.last = now;
      this.sound(false);
      this.moved(this.time);
      if (this.time >= this.data.end) return this.stop();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  stop() {
    this.playing = false;
    this.hush();
    this.state();
  }

  faster(by) {
    const speeds = Player.SPEEDS;
    this.speed = speeds[Math.min(Math.max(speeds.indexOf(this.speed) + by, 0), speeds.length - 1)];
    for (const { audio } of this.sounding.values()) audio.playbackRate = this.speed;
    this.state();
  }

  mute(env) {
    if (!this.muted.delete(env)) this.muted.add(env);
    for (const [other, { audio }] of this.sounding) audio.muted = this.muted.has(other);
    this.state();
  }

  hush() {
    for (const { audio } of this.sounding.values()) audio.pause();
    this.sounding.clear();
  }

  audio(clip) {
    const audio = new Audio(media(this.base, clip.media.digest, "wav"));
    audio.preload = "auto";
    return audio;
  }

  /* Start the clip that sounds now, stop what is over, and keep an element within a fraction of a second of the clock. */
  sound(moved) {
    for (const env of this.data.envs) {
      const clip = this.data.clip(env, this.time);
      const now = this.sounding.get(env);
      if (now && now.clip !== clip) {
        now.audio.pause();
        this.sounding.delete(env);
      }
      if (clip) {
        const at = this.time - clip.start;
        if (!now || now.clip !== clip) {
          const ready = this.next.get(env);
          const audio = ready && ready.clip === clip ? ready.audio : this.audio(clip);
          this.sounding.set(env, { clip, audio });
          Object.assign(audio, { playbackRate: this.speed, muted: this.muted.has(env), currentTime: at });
          audio.play().catch(() => {});
        } else if (!now.audio.seeking && (moved || Math.abs(now.audio.currentTime - at) > 0.2 * Math.max(1, this.speed))) now.audio.currentTime = at;
      }
      const coming = this.data.nextClip(env, this.time);
      if (coming && coming.start < this.time + 2 * this.speed && (this.next.get(env) || {}).clip !== coming) this.next.set(env, { clip: coming, audio: this.audio(coming) });
    }
  }
}
Player.SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
