// What every page has: work that this browser holds is of whoever is signed in, answers that wait
// are sent, wherever one is, and what is used elsewhere can be copied.
import "./judging/held.js";
import "./judging/queue.js";
import "./judging/waiting.js";
import "./judging/messages.js";
import "./judging/star.js";
import "./web/copy.js";
