// What every page has: work that this browser holds is of whoever is signed in, and answers that
// wait are sent, wherever one is.
import "./judging/held.js";
import "./judging/queue.js";
import "./judging/waiting.js";
import "./judging/messages.js";
