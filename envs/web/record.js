// Records one page at a time through DevTools, from a page of our own that no site can reach, and keeps the pictures
// until they are fetched. `devtools` is the binding of Target.exposeDevToolsProtocol.
const RETRY = 200; // milliseconds after which a page that could not be recorded is tried again

const answers = new Map();
let next = 1;
let wanted = null; // {target, width, height, quality, session, shown}
let kept = [];
let size = 0;
let most = 0;
let problem = "no page has been recorded yet";

function send(method, params, sessionId) {
  const id = next++;
  devtools.send(JSON.stringify({ id, method, params, sessionId }));
  return new Promise((done, fail) => answers.set(id, { done, fail }));
}

devtools.onmessage = (text) => {
  const told = JSON.parse(text);
  if (told.id) {
    const { done, fail } = answers.get(told.id);
    answers.delete(told.id);
    told.error ? fail(new Error(told.error.message)) : done(told.result);
  } else if (told.method === "Page.screencastFrame") {
    const { data, metadata, sessionId } = told.params;
    const age = Math.max(0, Date.now() - 1000 * (metadata.timestamp ?? Date.now() / 1000));
    send("Page.screencastFrameAck", { sessionId }, told.sessionId).catch(() => {});
    if (told.sessionId !== wanted?.session) return;
    keep({ at: performance.now() - age, data });
    wanted.shown();
  } else if (told.method === "Target.detachedFromTarget" && told.params.sessionId === wanted?.session) {
    again(wanted, "the page has gone");
  }
};

function keep(picture) {
  kept.push(picture);
  size += picture.data.length;
  while (kept.length > 1 && size > most) size -= kept.shift().data.length;
}

function again(page, why) {
  problem = `the screencast ended: ${why}`;
  setTimeout(() => page === wanted && attach(page), RETRY);
}

async function attach(page) {
  try {
    const { sessionId } = await send("Target.attachToTarget", { targetId: page.target, flatten: true });
    if (page !== wanted) return leave(sessionId);
    page.session = sessionId;
    const limits = { format: "jpeg", quality: page.quality, maxWidth: page.width, maxHeight: page.height };
    await send("Page.startScreencast", limits, sessionId);
  } catch (error) {
    if (page === wanted) again(page, error.message);
  }
}

function leave(sessionId) {
  return send("Target.detachFromTarget", { sessionId }).catch(() => {});
}

// Record this page from now on; returns with its first picture, or after `patience` milliseconds.
globalThis.follow = ({ target, width, height, quality, patience, budget }) => {
  most = budget;
  const before = wanted;
  return new Promise((done) => {
    wanted = { target, width, height, quality, session: "", shown: done };
    setTimeout(done, patience);
    if (before?.session) leave(before.session);
    attach(wanted);
  });
};

// The oldest pictures that have not been fetched, about `length` characters of them, and whether there are more.
globalThis.fetchPictures = (length) => {
  let end = 0;
  for (let sum = 0; end < kept.length && sum < length; end++) sum += kept[end].data.length;
  const pictures = kept.splice(0, end);
  for (const { data } of pictures) size -= data.length;
  return { pictures, more: kept.length > 0, problem };
};
