// When a page stands still: mutations, scrolls, animations, navigations.

let touched = false, leaving = false;
const watched = new WeakSet();
const watch = (node) => {
  const root = plain(node);
  if (!root || watched.has(root)) return;
  watched.add(root);
  new MutationObserver(() => { touched = true; })
    .observe(real(root), { subtree: true, childList: true, attributes: true, characterData: true });
  root.addEventListener('scroll', () => { touched = true; }, { capture: true, passive: true });
  if (root.nodeType !== Node.DOCUMENT_NODE) return;
  // A blinking caret would make two looks at the same page differ.
  const style = new root.defaultView.CSSStyleSheet();
  style.replaceSync('html { caret-animation: manual }');
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, style];
};
watch(document);
if (globalThis.navigation) {
  navigation.addEventListener('navigate', (event) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) leaving = true;
  });
  navigation.addEventListener('navigateerror', () => { leaving = false; });
}

/* The page stays after all: what it was to be left for has become a download. */
const stay = () => { leaving = false; };

const animated = () => page.getAnimations().some((animation) =>
  animation.playState === 'running' && animation.effect && isFinite(animation.effect.getComputedTiming().endTime));

const occupied = () => leaving || page.readyState !== 'complete' || animated();
const busy = () => touched || occupied();

/* 'still' when nothing moves from one frame to the next; after `limit` ms 'moving', or 'leaving' for another page.
   With `soon`, a page that is not occupied is believed at once: who then looks at its next frame asks `moved`. */
const quiet = (limit, soon) => new Promise((resolve) => {
  const start = performance.now();
  const late = setTimeout(() => resolve(leaving ? 'leaving' : 'moving'), limit);
  touched = false;
  const look = () => {
    const still = !busy();
    touched = false;
    if (!still && performance.now() - start < limit) {
      requestAnimationFrame(look);
    } else {
      clearTimeout(late);
      resolve(still ? 'still' : leaving ? 'leaving' : 'moving');
    }
  };
  if (soon && !occupied()) {
    clearTimeout(late);
    resolve('still');
  } else {
    requestAnimationFrame(look);
  }
});
