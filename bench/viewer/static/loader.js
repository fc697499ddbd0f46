"use strict";

/* The one place from which the data of episodes come. A page on the disk may not fetch: each kind of data of an episode
   is a script beside the page that hands itself over. What was read of a number stays as it is: an episode that has grown
   since, as on a page that follows a run, comes under another number. */
const KINDS = { "": "omnipilotEpisode", "-timeline": "omnipilotTimeline", "-messages": "omnipilotMessages", "-elements": "omnipilotElements" };

class Loader {
  /* `weigh`: how many steps an episode has, by the number of its file; so many in all are kept, and so many episodes. */
  constructor(folder, weigh, steps = 6000, episodes = 8) {
    Object.assign(this, { folder, weigh, steps, episodes, caches: new Map() });
    for (const [kind, name] of Object.entries(KINDS)) {
      this.caches.set(kind, new Map());
      window[name] = (number, data) => this.caches.get(kind).set(number, data);
    }
  }

  /* The data of an episode; an error says which file is missing. */
  load(number, kind = "") {
    const cache = this.caches.get(kind);
    if (cache.has(number)) return Promise.resolve(cache.get(number));
    return new Promise((resolve, reject) => {
      const file = `${this.folder}/${number}${kind}.js`;
      const script = el("script", { src: file });
      script.onload = () => {
        script.remove();
        const data = cache.get(number);
        this.drop(cache, number);
        if (data) resolve(data); else reject(new Error(`${file} is not this report's; write the report again`));
      };
      script.onerror = () => reject(new Error(`${file} cannot be read; it must lie beside this page`));
      document.head.append(script);
    });
  }

  drop(cache, newest) {
    const weight = () => Array.from(cache.keys()).reduce((sum, number) => sum + this.weigh(number), 0);
    for (const old of cache.keys()) {
      if (old !== newest && (cache.size > this.episodes || weight() > this.steps)) cache.delete(old);
    }
  }
}
